"""The object you open and hold, with all its verbs."""

from __future__ import annotations

from memoranda.verbs.capturing import Capturing
from memoranda.verbs.knowing import Knowing
from memoranda.verbs.transferring import Transferring
from memoranda.verbs.working import Working


class Memoranda(Capturing, Working, Knowing, Transferring):
    """An open home. Made by `memoranda.open`; close it, or use it in a `with` statement.

    It may be used from several threads. Every verb may raise StoreError, and is one transaction
    unless it says otherwise.
    """
