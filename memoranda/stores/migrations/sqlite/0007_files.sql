-- What stands: the latest said or confirmed, the pinned, and what was said most often.
CREATE INDEX memory_standing ON memory (
  scope, kind, max(recorded_at, coalesce(confirmed_at, recorded_at)))
  WHERE status = 'current';
CREATE INDEX memory_pinned ON memory (scope, kind) WHERE status = 'current' AND pinned = 1;
CREATE INDEX memory_often ON memory (scope, kind, mention_count)
  WHERE status = 'current' AND mention_count > 1;

-- The files written from the store, and what each held: by that it is known what a person changed.
CREATE TABLE file (
  row INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,     -- within the home, or a whole one
  scope INTEGER NOT NULL REFERENCES scope (row) ON DELETE CASCADE,
  form TEXT NOT NULL CHECK (form IN ('markdown', 'hermes', 'mirror')),
  mark INTEGER NOT NULL,         -- where the ledger ended
  stamp TEXT                     -- when it was written, and its size
) STRICT;
CREATE INDEX file_scope ON file (scope);

CREATE TABLE file_line (
  file INTEGER NOT NULL REFERENCES file (row) ON DELETE CASCADE,
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  kind TEXT,
  day TEXT CHECK (day GLOB '????-??-??'),
  PRIMARY KEY (file, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_line_memory ON file_line (memory);

-- The same cascades for tools that leave foreign keys off.
CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
  DELETE FROM file_line WHERE file = old.row;
END;
CREATE TRIGGER memory_in_no_file AFTER DELETE ON memory BEGIN
  DELETE FROM file_line WHERE memory = old.row;
END;

-- Projects, where one works on them and where their files are, and who works on them.
CREATE TABLE project (
  name TEXT PRIMARY KEY,
  root TEXT,                     -- NULL for one that is opened by its name only
  vault TEXT                     -- NULL for a folder in the home
) STRICT;

CREATE TABLE project_part (
  project TEXT NOT NULL REFERENCES project (name) ON DELETE CASCADE,
  profile TEXT NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('lead', 'worker', 'reader', 'none')),
  PRIMARY KEY (project, profile)
) STRICT, WITHOUT ROWID;

-- By what people are known on channels: a number, an address.
CREATE TABLE channel (
  identity TEXT PRIMARY KEY,
  person TEXT                    -- NULL for the owner
) STRICT;

-- The same cascade for tools that leave foreign keys off.
CREATE TRIGGER project_removed AFTER DELETE ON project BEGIN
  DELETE FROM project_part WHERE project = old.name;
END;
