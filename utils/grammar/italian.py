"""Italian (filled in shortly): for now every filter returns the bare label."""

FILTERS = dict.fromkeys(["art", "di", "a", "da", "in", "su"], str)
