-- What was forgotten must not come back: keyed hashes tell what it was, and nothing else does.

INSERT INTO home (name, value) VALUES ('secret', hex(randomblob(32)));

CREATE TABLE tombstone (
  mark BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- A forgetting, until no trace of it is left in any file.
CREATE TABLE purge (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  in_memory_fts INTEGER NOT NULL DEFAULT 1,  -- whether this index keeps its terms until written anew
  in_passage_fts INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Stretches of conversations of which nothing is kept, by a keyed hash of the conversation's name.
CREATE TABLE incognito (
  mark BLOB NOT NULL,
  since TEXT NOT NULL CHECK (since GLOB '????-??-??T??:??:??.??????Z'),
  until TEXT CHECK (until GLOB '????-??-??T??:??:??.??????Z'),
  PRIMARY KEY (mark, since)
) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_project ON conversation (project) WHERE project IS NOT NULL;
CREATE INDEX ledger_conversation ON ledger (conversation, scope) WHERE conversation IS NOT NULL;
CREATE INDEX ledger_revision ON ledger (time) WHERE operation = 'revise';
