"""Our backends, by the names under which the harness finds them once this module is imported."""
