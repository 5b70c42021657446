"""CLEAR: what a model does when evidence, in its own or another language, contradicts what it remembers."""
