-- Times are UTC, as in 2026-03-31T12:05:00.000000Z, and so sort as text. Ids are ULIDs. The checks
-- keep out what would make every read fail, whoever writes.
-- Nothing here calls a function that a stock SQLite 3.40 lacks: any SQLite tool can read, MATCH
-- and write this file, and the triggers keep the indexes in step.

CREATE TABLE home (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row number is never used again: what is left of a deleted scope must not become another's.
CREATE TABLE scope (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (
    name = 'user' OR name GLOB 'user:?*' OR name GLOB 'profile:?*' OR name GLOB 'project:?*')
) STRICT;

-- What happened --------------------------------------------------------------------------------

CREATE TABLE conversation (
  row INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scope (row),
  project INTEGER REFERENCES scope (row),
  name TEXT NOT NULL,
  UNIQUE (scope, name)
) STRICT;

CREATE TABLE turn (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 26 AND NOT id GLOB '*[^0-9A-Z]*'),
  conversation INTEGER NOT NULL REFERENCES conversation (row) ON DELETE CASCADE,
  key TEXT,                      -- the caller's own id
  digest BLOB NOT NULL,          -- of role, speaker, content and the time given
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
  speaker TEXT,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  utc_offset INTEGER NOT NULL    -- minutes, of the zone in which it was said
    CHECK (utc_offset BETWEEN -1439 AND 1439),
  recorded_at TEXT NOT NULL CHECK (recorded_at GLOB '????-??-??T??:??:??.??????Z')
) STRICT;
CREATE UNIQUE INDEX turn_key ON turn (conversation, key) WHERE key IS NOT NULL;
CREATE INDEX turn_digest ON turn (conversation, digest);

-- A turn's content is that of its passages, joined; most turns are one passage.
CREATE TABLE passage (
  row INTEGER PRIMARY KEY,
  turn INTEGER NOT NULL REFERENCES turn (row) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  content TEXT NOT NULL,
  terms TEXT,                    -- what the index needs beside the content to find it
  scope INTEGER NOT NULL REFERENCES scope (row),
  facets TEXT GENERATED ALWAYS AS ('xlive' || scope) VIRTUAL,
  UNIQUE (turn, start)
) STRICT;

CREATE VIEW transcript AS
  SELECT c.name AS conversation, t.time, t.role, t.speaker,
    (SELECT group_concat(content, '')
     FROM (SELECT content FROM passage WHERE turn = t.row ORDER BY start)) AS content,
    t.id, t.key, s.name AS scope
  FROM turn t JOIN conversation c ON c.row = t.conversation JOIN scope s ON s.row = c.scope;

-- What is true ----------------------------------------------------------------------------------

CREATE TABLE memory (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 26 AND NOT id GLOB '*[^0-9A-Z]*'),
  scope INTEGER NOT NULL REFERENCES scope (row),
  kind TEXT NOT NULL CHECK (kind IN (
    'fact', 'preference', 'decision', 'constraint', 'environment', 'lesson', 'episode')),
  content TEXT NOT NULL,
  detail TEXT,
  terms TEXT,                    -- what the index needs beside the content to find it
  digest BLOB,                   -- of the content, to see a repetition
  status TEXT NOT NULL DEFAULT 'current' CHECK (status IN (
    'current', 'candidate', 'superseded', 'retired', 'rejected', 'expired', 'quarantined')),
  confidence REAL NOT NULL DEFAULT 0.5,
  pinned INTEGER NOT NULL DEFAULT 0,
  recorded_at TEXT NOT NULL CHECK (recorded_at GLOB '????-??-??T??:??:??.??????Z'),
  closed_at TEXT CHECK (closed_at GLOB '????-??-??T??:??:??.??????Z'),   -- no longer believed
  valid_from TEXT CHECK (valid_from GLOB '????-??-??T??:??:??.??????Z'), -- when it was true
  valid_to TEXT CHECK (valid_to GLOB '????-??-??T??:??:??.??????Z'),
  valid_to_open TEXT,            -- what valid_to was before it was closed
  confirmed_at TEXT CHECK (confirmed_at GLOB '????-??-??T??:??:??.??????Z'),
  used_at TEXT CHECK (used_at GLOB '????-??-??T??:??:??.??????Z'),
  use_count INTEGER NOT NULL DEFAULT 0,
  mention_count INTEGER NOT NULL DEFAULT 1,
  superseded_by TEXT,
  facets TEXT GENERATED ALWAYS AS (
    CASE WHEN status IN ('current', 'candidate') THEN 'xlive' || scope
      ELSE 'xpast xpast' || scope END
    || ' xkind' || kind
  ) VIRTUAL
) STRICT;
CREATE INDEX memory_digest ON memory (scope, digest);
CREATE INDEX memory_end ON memory (valid_to) WHERE valid_to IS NOT NULL AND closed_at IS NULL;
CREATE INDEX memory_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE topic (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (memory, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_name ON topic (name);

CREATE TABLE source (
  row INTEGER PRIMARY KEY,
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('turn', 'file', 'person', 'agent')),
  time TEXT CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  quote TEXT,
  turn INTEGER REFERENCES turn (row) ON DELETE SET NULL,
  start INTEGER,
  stop INTEGER,
  path TEXT,
  line INTEGER,
  by TEXT
) STRICT;
CREATE INDEX source_memory ON source (memory);
CREATE INDEX source_turn ON source (turn) WHERE turn IS NOT NULL;

-- What it is about ------------------------------------------------------------------------------

CREATE TABLE entity (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scope (row),
  name TEXT NOT NULL
) STRICT;

CREATE TABLE alias (
  entity INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  name TEXT NOT NULL,            -- folded, as it is looked up
  PRIMARY KEY (name, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (entity);

CREATE TABLE mention (
  row INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  memory INTEGER REFERENCES memory (row) ON DELETE CASCADE,
  turn INTEGER REFERENCES turn (row) ON DELETE CASCADE,
  CHECK ((memory IS NULL) <> (turn IS NULL))
) STRICT;
CREATE INDEX mention_entity ON mention (entity);
CREATE INDEX mention_memory ON mention (memory) WHERE memory IS NOT NULL;
CREATE INDEX mention_turn ON mention (turn) WHERE turn IS NOT NULL;

CREATE TABLE link (
  row INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  other INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  memory INTEGER REFERENCES memory (row) ON DELETE CASCADE
) STRICT;
CREATE INDEX link_entity ON link (entity);
CREATE INDEX link_other ON link (other);
CREATE INDEX link_memory ON link (memory) WHERE memory IS NOT NULL;

-- Vectors, float32, never compared across models ------------------------------------------------

CREATE TABLE memory_vector (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  model TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (memory, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE passage_vector (
  passage INTEGER NOT NULL REFERENCES passage (row) ON DELETE CASCADE,
  model TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (passage, model)
) STRICT, WITHOUT ROWID;

-- Every change ----------------------------------------------------------------------------------

CREATE TABLE ledger (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  operation TEXT NOT NULL,
  by TEXT NOT NULL,
  scope INTEGER REFERENCES scope (row),
  memory TEXT,
  conversation TEXT,
  reason TEXT,
  before TEXT,
  after TEXT
) STRICT;
CREATE INDEX ledger_memory ON ledger (memory) WHERE memory IS NOT NULL;

-- Full text -------------------------------------------------------------------------------------
-- `facets` is one token per scope (and kind), of weight 0, so that a search inside one scope reads
-- that scope's postings only. Its tokens begin with an x, so that they are no words of a language.

CREATE VIRTUAL TABLE memory_fts USING fts5 (
  content, detail, terms, facets,
  content = 'memory', content_rowid = 'row',
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);

CREATE VIRTUAL TABLE passage_fts USING fts5 (
  content, terms, facets,
  content = 'passage', content_rowid = 'row',
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);

-- Rows written by another tool lack their terms; they are listed here and completed at the next
-- opening.
CREATE TABLE memory_without_terms (row INTEGER PRIMARY KEY) STRICT;
CREATE TABLE passage_without_terms (row INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER memory_added AFTER INSERT ON memory BEGIN
  INSERT INTO memory_fts (rowid, content, detail, terms, facets)
    VALUES (new.row, new.content, new.detail, new.terms, new.facets);
  INSERT INTO memory_without_terms SELECT new.row WHERE new.terms IS NULL;
END;

CREATE TRIGGER memory_changed AFTER UPDATE OF content, detail, terms, scope, kind, status ON memory
BEGIN
  INSERT INTO memory_fts (memory_fts, rowid, content, detail, terms, facets)
    VALUES ('delete', old.row, old.content, old.detail, old.terms, old.facets);
  INSERT INTO memory_fts (rowid, content, detail, terms, facets)
    VALUES (new.row, new.content, new.detail, new.terms, new.facets);
  DELETE FROM memory_vector WHERE memory = old.row AND old.content IS NOT new.content;
  DELETE FROM memory_without_terms WHERE row = old.row AND old.terms IS NOT new.terms;
  INSERT INTO memory_without_terms SELECT new.row
    WHERE (new.terms IS NULL OR (old.terms IS new.terms
        AND (old.content IS NOT new.content OR old.detail IS NOT new.detail)))
      AND new.row NOT IN (SELECT row FROM memory_without_terms);
END;

CREATE TRIGGER memory_removed AFTER DELETE ON memory BEGIN
  INSERT INTO memory_fts (memory_fts, rowid, content, detail, terms, facets)
    VALUES ('delete', old.row, old.content, old.detail, old.terms, old.facets);
  DELETE FROM memory_vector WHERE memory = old.row;
  DELETE FROM memory_without_terms WHERE row = old.row;
  DELETE FROM topic WHERE memory = old.row;
  DELETE FROM source WHERE memory = old.row;
  DELETE FROM mention WHERE memory = old.row;
  DELETE FROM link WHERE memory = old.row;
  UPDATE memory SET superseded_by = NULL WHERE superseded_by = old.id;
END;

CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
  INSERT INTO passage_fts (rowid, content, terms, facets)
    VALUES (new.row, new.content, new.terms, new.facets);
  INSERT INTO passage_without_terms SELECT new.row WHERE new.terms IS NULL;
END;

CREATE TRIGGER passage_changed AFTER UPDATE OF content, terms, scope ON passage BEGIN
  INSERT INTO passage_fts (passage_fts, rowid, content, terms, facets)
    VALUES ('delete', old.row, old.content, old.terms, old.facets);
  INSERT INTO passage_fts (rowid, content, terms, facets)
    VALUES (new.row, new.content, new.terms, new.facets);
  DELETE FROM passage_vector WHERE passage = old.row AND old.content IS NOT new.content;
  DELETE FROM passage_without_terms WHERE row = old.row AND old.terms IS NOT new.terms;
  INSERT INTO passage_without_terms SELECT new.row
    WHERE (new.terms IS NULL OR (old.terms IS new.terms AND old.content IS NOT new.content))
      AND new.row NOT IN (SELECT row FROM passage_without_terms);
END;

CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
  INSERT INTO passage_fts (passage_fts, rowid, content, terms, facets)
    VALUES ('delete', old.row, old.content, old.terms, old.facets);
  DELETE FROM passage_vector WHERE passage = old.row;
  DELETE FROM passage_without_terms WHERE row = old.row;
END;

-- The same cascades for tools that leave foreign keys off.
CREATE TRIGGER turn_removed AFTER DELETE ON turn BEGIN
  DELETE FROM passage WHERE turn = old.row;
  DELETE FROM mention WHERE turn = old.row;
  UPDATE source SET turn = NULL WHERE turn = old.row;
END;

CREATE TRIGGER conversation_removed AFTER DELETE ON conversation BEGIN
  DELETE FROM turn WHERE conversation = old.row;
END;
