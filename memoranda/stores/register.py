"""See `protocols.Register` for what each method promises."""

from __future__ import annotations

from collections import defaultdict

from memoranda.people import Part, Person, Project
from memoranda.stores.connections import Connections, query


class SqliteRegister:
    """The tables `project`, `project_part` and `channel`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def projects(self) -> list[Project]:
        with self._connections.reading() as db:
            parts: dict[str, dict[str, Part]] = defaultdict(dict)
            for project, profile, part in query(db, "SELECT * FROM project_part ORDER BY profile"):
                parts[project][profile] = Part(part)
            found = query(db, "SELECT name, root, vault FROM project ORDER BY name")
        return [Project(name, root, vault, parts[name]) for name, root, vault in found]

    def keep_project(self, project: Project) -> None:
        with self._connections.writing() as db:
            db.execute(
                """INSERT INTO project (name, root, vault) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET root = excluded.root, vault = excluded.vault""",
                (project.name, project.root, project.vault),
            )
            db.execute("DELETE FROM project_part WHERE project = ?", (project.name,))
            db.executemany(
                "INSERT INTO project_part (project, profile, part) VALUES (?, ?, ?)",
                [(project.name, profile, part.value) for profile, part in project.parts.items()],
            )

    def drop_project(self, name: str) -> bool:
        with self._connections.writing() as db:
            db.execute("DELETE FROM project WHERE name = ?", (name,))
            return db.changes() > 0

    def people(self) -> list[Person]:
        with self._connections.reading() as db:
            found = query(db, "SELECT identity, person FROM channel ORDER BY identity")
        channels: dict[str | None, list[str]] = defaultdict(list)
        for identity, person in found:
            channels[person].append(identity)
        named = sorted(channels.items(), key=lambda each: each[0] or "")
        return [Person(name, tuple(some)) for name, some in named]

    def keep_channel(self, identity: str, person: str | None) -> None:
        with self._connections.writing() as db:
            db.execute(
                """INSERT INTO channel (identity, person) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET person = excluded.person""",
                (identity, person),
            )

    def drop_channel(self, identity: str) -> bool:
        with self._connections.writing() as db:
            db.execute("DELETE FROM channel WHERE identity = ?", (identity,))
            return db.changes() > 0
