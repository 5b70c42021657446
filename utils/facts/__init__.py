"""Entities with labels in many languages, and (subject, property, object) triples."""

from crossfact.utils.facts.schema import (
    Entity,
    Facts,
    Property,
    Triple,
    embedded_facts,
    fingerprint,
    read_facts,
    write_facts,
)

__all__ = ["Entity", "Facts", "Property", "Triple", "embedded_facts", "fingerprint", "read_facts", "write_facts"]
