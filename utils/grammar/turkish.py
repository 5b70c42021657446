"""Turkish (filled in shortly): for now every filter returns the bare label."""

FILTERS = dict.fromkeys(["gen", "loc", "locki", "abl", "acc", "dat", "ins", "cop"], str)
