"""Korean (filled in shortly): for now every filter returns the bare label."""

FILTERS = dict.fromkeys(["topic", "subj", "obj", "and", "ro", "cop", "copf", "called"], str)
