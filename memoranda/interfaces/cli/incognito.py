"""The command that keeps a conversation off the record."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import counted, emit
from memoranda.types import Receipt


@app.command(cls=Command)
def incognito(
    context: typer.Context,
    conversation: Annotated[str, typer.Argument(help="The name that its turns come with.")],
    from_start: Annotated[
        bool, typer.Option("--from-start", help="Forget what is stored of it too.")
    ] = False,
    off: Annotated[
        bool, typer.Option("--off", help="Keep again what is said from now on.")
    ] = False,
) -> None:
    """Keep nothing of what is said in a conversation from now on."""
    with opened(context) as memoranda:
        receipt = memoranda.incognito(conversation, on=not off, from_start=from_start)
    emit(context, receipt, lambda: typer.echo(_told(receipt, from_start=from_start, off=off)))


def _told(receipt: Receipt, *, from_start: bool, off: bool) -> str:
    if off:
        return "What is said there from now on is kept again."
    if from_start:
        gone = counted(len(receipt.turns), "turn")
        return f"Nothing of it is kept; forgotten: {gone}."
    return "Nothing of what is said there from now on is kept."
