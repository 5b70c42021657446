"""What two benchmarks or more need, a module per idea."""
