"""Facts: entities with labels and aliases by language, and (subject, property, object) triples."""
