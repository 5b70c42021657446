"""Builders of the embedded facts: one module per source, and `build_all`, which merges them.

Needs the extra `facts`; run from a checkout, never needed to run a benchmark.
"""
