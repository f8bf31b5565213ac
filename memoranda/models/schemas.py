"""Schemas of answers, as endpoints take them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from memoranda.answers import T
from memoranda.errors import InvalidInput

BOUNDS = frozenset(
    """
    minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
    minItems maxItems uniqueItems format
    """.split()
)
"""What some endpoints refuse to enforce; whoever reads the answer checks it anyway."""

NEEDLESS = frozenset(("title", "default", "discriminator", "examples"))
"""What says nothing to a model, or what strict endpoints refuse."""

NAMED = frozenset(("properties", "$defs"))
"""What holds a schema under each name."""

LISTED = {"anyOf": "anyOf", "oneOf": "anyOf", "allOf": "allOf", "prefixItems": "prefixItems"}
"""What holds a list of schemas, and how endpoints know it."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """The form of an answer: the pydantic model that checks it, and its schema."""

    answer: type[T]
    name: str
    schema: Mapping[str, Any]

    def bounded(self, bounds: bool) -> Mapping[str, Any]:
        """The schema with or without what not every endpoint enforces."""
        return self.schema if bounds else _strict(self.schema, bounds=False)


def form_of(answer: type[T]) -> Form[T]:
    """Raises InvalidInput for what no endpoint can be held to."""
    import pydantic

    if not (isinstance(answer, type) and issubclass(answer, pydantic.BaseModel)):
        raise InvalidInput(f"answer {answer!r:.80} is no pydantic model")
    schema = _strict(answer.model_json_schema())
    if schema.get("type") != "object":
        raise InvalidInput(f"answer {answer.__name__} is no JSON object, as endpoints want it")
    name = re.sub(r"[^\w-]", "_", answer.__name__, flags=re.ASCII)[:64]
    return Form(answer, name, schema)


def bounds_in(schema: object) -> frozenset[str]:
    """The names of bounds that occur in a schema."""
    if isinstance(schema, Mapping):
        found = BOUNDS.intersection(schema)
        return found.union(*map(bounds_in, schema.values()))
    if isinstance(schema, list):
        return frozenset().union(*map(bounds_in, schema))
    return frozenset()


def _strict(schema: Mapping[str, Any], *, bounds: bool = True) -> dict[str, Any]:
    """A schema whose objects have all their fields and no others.

    A reference stands alone, and a choice has no preference among its branches.
    """
    made: dict[str, Any] = {}
    for name, value in schema.items():
        if name in NEEDLESS or (name in BOUNDS and not bounds):
            continue
        if name in NAMED:
            made[name] = {each: _strict(of, bounds=bounds) for each, of in value.items()}
        elif name in LISTED:
            made[LISTED[name]] = [_strict(each, bounds=bounds) for each in value]
        elif name in ("items", "additionalProperties") and isinstance(value, Mapping):
            made[name] = _strict(value, bounds=bounds)
        else:
            made[name] = value
    if "properties" in made:
        made |= {"additionalProperties": False, "required": list(made["properties"])}
    if "$ref" in made and len(made) > 1 and "properties" not in made:
        made["anyOf"] = [{"$ref": made.pop("$ref")}]
    return made
