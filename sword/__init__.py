"""SWORD: accepting true and rejecting false statements distorted from Wikidata triples."""
