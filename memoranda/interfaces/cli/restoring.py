"""The command that brings a lost store back."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda import wiring
from memoranda.care import Restored
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.models import embed_written
from memoranda.interfaces.cli.output import counted, emit, progress, say
from memoranda.interfaces.cli.sync import tell_of


@app.command(cls=Command)
def restore(
    context: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="The home whose files are read; the own one if none."),
    ] = None,
    from_markdown: Annotated[
        bool,
        typer.Option("--from-markdown", help="Make the store anew from the mirror and the files."),
    ] = False,
) -> None:
    """Bring back a store that was lost, in a home that has none."""
    if not from_markdown:
        raise typer.BadParameter("say from what: --from-markdown", param_hint="--from-markdown")
    with progress(context, "reading") as advance:
        restored = wiring.restore_from_markdown(source, context.obj.home, advance=advance)
    with opened(context) as memoranda:
        embed_written(context, memoranda, restored.memories)
    emit(context, restored, lambda: _show(restored))
    for path, why in restored.unreadable:
        say(f"{path} could not be read: {why}.")
    for each in restored.synced.files:
        tell_of(each)


def _show(restored: Restored) -> None:
    edits = sum(len(each.edits) for each in restored.synced.files)
    memories = counted(restored.memories, "memory", "memories")
    typer.echo(f"{memories} came back, and {counted(edits, 'edit')} of the files.")
