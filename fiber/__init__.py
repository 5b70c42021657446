"""FIBER: ranking every candidate answer by log-likelihood, and the bias toward the prompt language's country."""
