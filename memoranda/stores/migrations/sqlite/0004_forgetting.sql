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
CREATE INDEX ledger_reason ON ledger (time) WHERE reason IS NOT NULL;

-- A turn that holds orders which nobody typed is kept from models, and tells why. In the index it
-- counts as past, as what holds no more does, so that a search costs nothing more.
DROP TRIGGER passage_added;
DROP TRIGGER passage_changed;
DROP TRIGGER passage_removed;
DROP VIEW passage_text;
ALTER TABLE passage DROP COLUMN facets;

ALTER TABLE turn ADD COLUMN quarantined TEXT;
ALTER TABLE passage ADD COLUMN quarantined INTEGER NOT NULL DEFAULT FALSE;   -- as its turn is
ALTER TABLE passage ADD COLUMN facets TEXT GENERATED ALWAYS AS (
  iif(quarantined, 'xpast xpast', 'xlive') || scope) VIRTUAL;
CREATE INDEX turn_quarantined ON turn (quarantined) WHERE quarantined IS NOT NULL;

CREATE VIEW passage_text AS
  SELECT p.row, p.content, p.terms, b.content || ' ' || coalesce(b.terms, '') AS before, p.facets
  FROM passage p LEFT JOIN passage b ON b.row = p.previous;

CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
  INSERT INTO passage_fts (rowid, content, terms, before, facets)
    SELECT row, content, terms, before, facets FROM passage_text WHERE row = new.row;
  INSERT INTO passage_without_terms SELECT new.row WHERE new.terms IS NULL;
  INSERT OR IGNORE INTO passage_without_vector VALUES (new.row);
END;

CREATE TRIGGER passage_changed
AFTER UPDATE OF content, terms, scope, previous, quarantined ON passage BEGIN
  INSERT INTO passage_fts (passage_fts, rowid, content, terms, before, facets)
    VALUES ('delete', old.row, old.content, old.terms,
      (SELECT content || ' ' || coalesce(terms, '') FROM passage WHERE row = old.previous),
      old.facets);
  INSERT INTO passage_fts (rowid, content, terms, before, facets)
    SELECT row, content, terms, before, facets FROM passage_text WHERE row = new.row;
  INSERT INTO passage_fts (passage_fts, rowid, content, terms, before, facets)
    SELECT 'delete', row, content, terms, old.content || ' ' || coalesce(old.terms, ''), facets
    FROM passage WHERE previous = old.row;
  INSERT INTO passage_fts (rowid, content, terms, before, facets)
    SELECT row, content, terms, before, facets FROM passage_text
    WHERE row IN (SELECT row FROM passage WHERE previous = new.row);
  DELETE FROM passage_vector WHERE passage = old.row
    AND (old.content IS NOT new.content OR old.previous IS NOT new.previous);
  DELETE FROM passage_vector WHERE old.content IS NOT new.content
    AND passage IN (SELECT row FROM passage WHERE previous = new.row);
  INSERT INTO vector_change (searched, row)
    SELECT 'passage', new.row WHERE old.scope IS NOT new.scope;
  DELETE FROM passage_without_terms WHERE row = old.row AND old.terms IS NOT new.terms;
  INSERT INTO passage_without_terms SELECT new.row
    WHERE (new.terms IS NULL OR (old.terms IS new.terms AND old.content IS NOT new.content))
      AND new.row NOT IN (SELECT row FROM passage_without_terms);
END;

CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
  INSERT INTO passage_fts (passage_fts, rowid, content, terms, before, facets)
    VALUES ('delete', old.row, old.content, old.terms,
      (SELECT content || ' ' || coalesce(terms, '') FROM passage WHERE row = old.previous),
      old.facets);
  DELETE FROM passage_vector WHERE passage = old.row;
  DELETE FROM passage_without_terms WHERE row = old.row;
  DELETE FROM passage_without_vector WHERE row = old.row;
END;

-- What a model finds through it, and the names that were found in it, wait for its release.
CREATE TRIGGER turn_quarantined AFTER UPDATE OF quarantined ON turn
WHEN (old.quarantined IS NULL) <> (new.quarantined IS NULL) BEGIN
  UPDATE passage SET previous = NULL WHERE new.quarantined IS NOT NULL
    AND previous IN (SELECT row FROM passage WHERE turn = new.row);
  UPDATE passage SET quarantined = new.quarantined IS NOT NULL WHERE turn = new.row;
  DELETE FROM mention WHERE turn = new.row AND new.quarantined IS NOT NULL;
  INSERT OR IGNORE INTO turn_without_mentions SELECT new.row WHERE new.quarantined IS NULL;
END;
