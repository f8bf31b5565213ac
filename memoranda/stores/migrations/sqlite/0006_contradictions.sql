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
