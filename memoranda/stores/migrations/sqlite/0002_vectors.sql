-- A short turn is searched with what was said before it too: an answer rarely repeats the words of
-- its question. `previous` is the turn before, and NULL where either is long or in several passages.
ALTER TABLE passage ADD COLUMN previous INTEGER REFERENCES passage (row);
CREATE INDEX passage_previous ON passage (previous) WHERE previous IS NOT NULL;
CREATE INDEX passage_scope ON passage (scope);
CREATE INDEX turn_order ON turn (conversation, time);

UPDATE passage SET previous = pair.before
FROM (
  SELECT row, short, lag(row) OVER said AS before, lag(short) OVER said AS short_before,
    time, lag(time) OVER said AS time_before
  FROM (
    SELECT min(p.row) AS row, count(*) = 1 AND sum(length(p.content)) <= 400 AS short,
      t.conversation, t.time, t.row AS turn
    FROM turn t JOIN passage p ON p.turn = t.row GROUP BY t.row)
  WINDOW said AS (PARTITION BY conversation ORDER BY time, turn)
) AS pair
WHERE passage.row = pair.row AND pair.short AND pair.short_before
  AND julianday(pair.time) - julianday(pair.time_before) <= 1.0 / 24;

DROP TRIGGER passage_added;
DROP TRIGGER passage_changed;
DROP TRIGGER passage_removed;
DROP TABLE passage_fts;

CREATE VIEW passage_text AS
  SELECT p.row, p.content, p.terms, b.content || ' ' || coalesce(b.terms, '') AS before, p.facets
  FROM passage p LEFT JOIN passage b ON b.row = p.previous;

CREATE VIRTUAL TABLE passage_fts USING fts5 (
  content, terms, before, facets,
  content = 'passage_text', content_rowid = 'row',
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
);
INSERT INTO passage_fts (passage_fts) VALUES ('rebuild');

CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
  INSERT INTO passage_fts (rowid, content, terms, before, facets)
    SELECT row, content, terms, before, facets FROM passage_text WHERE row = new.row;
  INSERT INTO passage_without_terms SELECT new.row WHERE new.terms IS NULL;
  INSERT OR IGNORE INTO passage_without_vector VALUES (new.row);
END;

CREATE TRIGGER passage_changed AFTER UPDATE OF content, terms, scope, previous ON passage BEGIN
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

-- While the text is still there, for the index must be told the very text that it forgets.
CREATE TRIGGER passage_leaves BEFORE DELETE ON passage BEGIN
  UPDATE passage SET previous = NULL WHERE previous = old.row;
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

-- Vectors -----------------------------------------------------------------------------------------
-- float32, little-endian, one for each text; empty when the model cannot read it. Vectors of
-- different models are never compared. With a row number of their own two fit on a page.

DROP TABLE memory_vector;
DROP TABLE passage_vector;

CREATE TABLE memory_vector (
  memory INTEGER PRIMARY KEY REFERENCES memory (row) ON DELETE CASCADE,
  model TEXT NOT NULL,
  value BLOB NOT NULL
) STRICT;

CREATE TABLE passage_vector (
  passage INTEGER PRIMARY KEY REFERENCES passage (row) ON DELETE CASCADE,
  model TEXT NOT NULL,
  value BLOB NOT NULL
) STRICT;

-- What has no vector yet, in the same transaction that made it so.
CREATE TABLE memory_without_vector (row INTEGER PRIMARY KEY) STRICT;
CREATE TABLE passage_without_vector (row INTEGER PRIMARY KEY) STRICT;
INSERT INTO memory_without_vector SELECT row FROM memory;
INSERT INTO passage_without_vector SELECT row FROM passage;

-- By which a copy of the vectors in memory follows the changes of other processes.
CREATE TABLE vector_change (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  searched TEXT NOT NULL CHECK (searched IN ('memory', 'passage')),
  row INTEGER NOT NULL
) STRICT;

CREATE TRIGGER memory_wants_vector AFTER INSERT ON memory BEGIN
  INSERT OR IGNORE INTO memory_without_vector VALUES (new.row);
END;

CREATE TRIGGER memory_wants_none AFTER DELETE ON memory BEGIN
  DELETE FROM memory_without_vector WHERE row = old.row;
END;

CREATE TRIGGER memory_moved AFTER UPDATE OF scope ON memory BEGIN
  INSERT INTO vector_change (searched, row) VALUES ('memory', new.row);
END;

CREATE TRIGGER memory_vector_added AFTER INSERT ON memory_vector BEGIN
  DELETE FROM memory_without_vector WHERE row = new.memory;
  INSERT INTO vector_change (searched, row) VALUES ('memory', new.memory);
END;

CREATE TRIGGER memory_vector_changed AFTER UPDATE ON memory_vector BEGIN
  DELETE FROM memory_without_vector WHERE row = new.memory;
  INSERT INTO vector_change (searched, row) VALUES ('memory', new.memory);
END;

CREATE TRIGGER memory_vector_removed AFTER DELETE ON memory_vector BEGIN
  INSERT OR IGNORE INTO memory_without_vector SELECT row FROM memory WHERE row = old.memory;
  INSERT INTO vector_change (searched, row) VALUES ('memory', old.memory);
END;

CREATE TRIGGER passage_vector_added AFTER INSERT ON passage_vector BEGIN
  DELETE FROM passage_without_vector WHERE row = new.passage;
  INSERT INTO vector_change (searched, row) VALUES ('passage', new.passage);
END;

CREATE TRIGGER passage_vector_changed AFTER UPDATE ON passage_vector BEGIN
  DELETE FROM passage_without_vector WHERE row = new.passage;
  INSERT INTO vector_change (searched, row) VALUES ('passage', new.passage);
END;

CREATE TRIGGER passage_vector_removed AFTER DELETE ON passage_vector BEGIN
  INSERT OR IGNORE INTO passage_without_vector SELECT row FROM passage WHERE row = old.passage;
  INSERT INTO vector_change (searched, row) VALUES ('passage', old.passage);
END;
