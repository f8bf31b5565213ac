"""A question that every language model can answer, to see whether one answers at all."""

from typing import Literal

from pydantic import BaseModel

QUESTION = "What is the colour of the sky at noon on a day without clouds?"


class Sky(BaseModel):
    """The colour of the sky."""

    colour: Literal["blue", "green", "red"]
