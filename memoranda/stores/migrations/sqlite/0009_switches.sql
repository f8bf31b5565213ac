-- Whether capture is on for the home, and for whom it is off nevertheless; who switched that, and when.
-- A scope that is on again has no switch. A scope that was forgotten has no name any more, and is off
-- still: it is known by a keyed hash of its name.
CREATE TABLE switch (
  mark BLOB NOT NULL,            -- of the name of a scope; empty for the whole home
  themselves INTEGER NOT NULL CHECK (themselves IN (0, 1)),  -- whether a person did it, or the owner
  name TEXT,                     -- of the scope; NULL for the whole home
  is_on INTEGER NOT NULL CHECK (is_on = 0 OR is_on = 1 AND mark = X''),
  since TEXT NOT NULL CHECK (since GLOB '????-??-??T??:??:??.??????Z'),
  door TEXT NOT NULL,
  PRIMARY KEY (mark, themselves)
) STRICT, WITHOUT ROWID;

-- The switch of the home, which was among its properties. By what door, only the ledger knows.
INSERT INTO switch (mark, themselves, name, is_on, since, door)
SELECT X'', 0, NULL, 1, value, coalesce(
  (SELECT by FROM ledger WHERE operation = 'enable' ORDER BY row DESC LIMIT 1), 'unknown')
FROM home WHERE name = 'capturing_since' AND value GLOB '????-??-??T??:??:??.??????Z';
INSERT OR IGNORE INTO switch (mark, themselves, name, is_on, since, door)
SELECT X'', 0, NULL, 0, time, by FROM ledger
WHERE operation = 'disable' AND time GLOB '????-??-??T??:??:??.??????Z' ORDER BY row DESC LIMIT 1;
DELETE FROM home WHERE name = 'capturing_since';
