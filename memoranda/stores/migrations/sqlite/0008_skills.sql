-- How often a skill was used, and when last. The skill itself is a file, found by its scope and name.
CREATE TABLE skill (
  scope INTEGER NOT NULL REFERENCES scope (row) ON DELETE CASCADE,
  name TEXT NOT NULL,
  uses INTEGER NOT NULL,
  used_at TEXT NOT NULL CHECK (used_at GLOB '????-??-??T??:??:??.??????Z'),
  PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;

-- The same cascade for tools that leave foreign keys off.
CREATE TRIGGER scope_has_skills_no_more AFTER DELETE ON scope BEGIN
  DELETE FROM skill WHERE scope = old.row;
END;

-- Files of the home that hold what was forgotten, until they are removed; paths are within it.
CREATE TABLE doomed_file (
  path TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
