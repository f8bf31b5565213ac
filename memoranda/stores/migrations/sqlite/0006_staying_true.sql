-- Which memories cannot both hold. `memory` is the newer one, or the one of the narrower scope;
-- `against` the older one, or the wider. Once settled, the pair is not found again.
CREATE TABLE contradiction (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 26 AND NOT id GLOB '*[^0-9A-Z]*'),
  kind TEXT NOT NULL CHECK (kind IN ('conflict', 'override', 'offer')),
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  against INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  slot TEXT NOT NULL,            -- in what they differ, in a word
  found_at TEXT NOT NULL CHECK (found_at GLOB '????-??-??T??:??:??.??????Z'),
  weighed_at TEXT CHECK (weighed_at GLOB '????-??-??T??:??:??.??????Z'),  -- by a model
  settled_at TEXT CHECK (settled_at GLOB '????-??-??T??:??:??.??????Z'),
  UNIQUE (memory, against)
) STRICT;
CREATE INDEX contradiction_against ON contradiction (against);
CREATE INDEX contradiction_open ON contradiction (row) WHERE settled_at IS NULL;

-- What a candidate in review would change.
CREATE INDEX decision_target ON decision (target) WHERE target IS NOT NULL;

-- The same cascade for tools that leave foreign keys off.
CREATE TRIGGER memory_contradicts_no_more AFTER DELETE ON memory BEGIN
  DELETE FROM contradiction WHERE memory = old.row OR against = old.row;
END;

-- When the wider one changes, what overrides it is offered the same change.
CREATE TRIGGER memory_no_longer_overridden AFTER UPDATE OF status ON memory
WHEN old.status IN ('current', 'candidate') AND new.status IN ('superseded', 'retired') BEGIN
  UPDATE OR REPLACE contradiction
    SET kind = 'offer',
      against = coalesce((SELECT row FROM memory WHERE id = new.superseded_by), new.row)
    WHERE against = new.row AND kind IN ('override', 'offer') AND settled_at IS NULL;
END;

-- What was served to prompts, and what became of it. Conversations are known by keyed hashes of
-- their names here, for a prompt may come before anything of it is stored.
CREATE TABLE serving (
  row INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scope (row) ON DELETE CASCADE,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  via TEXT NOT NULL CHECK (via IN ('recall', 'context')),
  conversation BLOB,             -- NULL when it was not told
  tokens INTEGER NOT NULL,
  window INTEGER NOT NULL        -- tokens that the prompt may have in all
) STRICT;
CREATE INDEX serving_conversation ON serving (conversation, time);
CREATE INDEX serving_time ON serving (scope, time);

CREATE TABLE served (
  serving INTEGER NOT NULL REFERENCES serving (row) ON DELETE CASCADE,
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  used INTEGER,                  -- whether the answer used it; NULL while that is not known
  PRIMARY KEY (serving, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX served_memory ON served (memory);

-- What a turn of the user needed: memories that it, or the answer to it, was about.
CREATE TABLE need (
  row INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scope (row) ON DELETE CASCADE,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
  reached INTEGER NOT NULL,      -- whether it was served by then
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX need_time ON need (scope, time);
CREATE INDEX need_memory ON need (memory);

-- The user's turns of which that is not known yet.
CREATE TABLE unreckoned_turn (
  row INTEGER PRIMARY KEY REFERENCES turn (row) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER turn_wants_reckoning AFTER INSERT ON turn WHEN new.role = 'user' BEGIN
  INSERT OR IGNORE INTO unreckoned_turn VALUES (new.row);
END;

-- The same cascades for tools that leave foreign keys off.
CREATE TRIGGER turn_reckoned_no_more AFTER DELETE ON turn BEGIN
  DELETE FROM unreckoned_turn WHERE row = old.row;
END;

CREATE TRIGGER memory_served_no_more AFTER DELETE ON memory BEGIN
  DELETE FROM served WHERE memory = old.row;
  DELETE FROM need WHERE memory = old.row;
END;

CREATE TRIGGER serving_removed AFTER DELETE ON serving BEGIN
  DELETE FROM served WHERE serving = old.row;
END;

-- What a person looked at in a review and left as it is, by a keyed hash of what it is.
CREATE TABLE kept (
  mark BLOB PRIMARY KEY,
  until TEXT NOT NULL CHECK (until GLOB '????-??-??T??:??:??.??????Z')
) STRICT, WITHOUT ROWID;
