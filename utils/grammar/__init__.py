"""Grammar of labels in sentences: articles, particles, suffixes and contractions, a module per language."""
