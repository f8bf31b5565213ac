-- What consolidation reads, asks, decides and leaves. It goes by the ids of passes, turns and
-- memories, which say nothing, where it outlives what they name.

-- What happened does not end, and is not looked at to find what has.
DROP INDEX memory_end;
CREATE INDEX memory_end ON memory (valid_to)
  WHERE valid_to IS NOT NULL AND closed_at IS NULL AND kind <> 'episode';

-- The turns that no model has read. As a list it holds those too that come late into an old
-- conversation, or out of quarantine.
CREATE TABLE unread_turn (
  row INTEGER PRIMARY KEY REFERENCES turn (row) ON DELETE CASCADE,
  conversation INTEGER NOT NULL,
  by_rules INTEGER NOT NULL DEFAULT FALSE,   -- whether rules have read it
  tries INTEGER NOT NULL DEFAULT 0,
  aside TEXT,                                -- why it is set aside; NULL when it is not
  since TEXT CHECK (since GLOB '????-??-??T??:??:??.??????Z')
) STRICT;
CREATE INDEX unread_turn_order ON unread_turn (conversation, row);
CREATE INDEX unread_turn_by_rules ON unread_turn (conversation, row)
  WHERE aside IS NULL AND by_rules = 0;
CREATE INDEX unread_turn_aside ON unread_turn (row) WHERE aside IS NOT NULL;
INSERT INTO unread_turn (row, conversation) SELECT row, conversation FROM turn;

CREATE TRIGGER turn_wants_reading AFTER INSERT ON turn BEGIN
  INSERT OR IGNORE INTO unread_turn (row, conversation) VALUES (new.row, new.conversation);
END;

CREATE TRIGGER turn_moved AFTER UPDATE OF conversation ON turn BEGIN
  UPDATE unread_turn SET conversation = new.conversation WHERE row = new.row;
END;

CREATE TABLE pass (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 26 AND NOT id GLOB '*[^0-9A-Z]*'),
  scope TEXT NOT NULL,           -- by its name, for a pass makes no scope
  model TEXT NOT NULL,
  prompts TEXT NOT NULL,
  began TEXT NOT NULL CHECK (began GLOB '????-??-??T??:??:??.??????Z'),
  ended TEXT CHECK (ended GLOB '????-??-??T??:??:??.??????Z'),
  stopped TEXT,
  failed INTEGER NOT NULL DEFAULT FALSE,
  undone TEXT CHECK (undone GLOB '????-??-??T??:??:??.??????Z'),
  preview INTEGER NOT NULL DEFAULT FALSE
) STRICT;
CREATE INDEX pass_scope ON pass (scope, row);

-- How `unread_turn` was before a pass read a turn or set it aside.
CREATE TABLE reading (
  pass TEXT NOT NULL REFERENCES pass (id) ON DELETE CASCADE,
  turn TEXT NOT NULL,
  set_aside INTEGER NOT NULL,    -- by this pass
  by_rules INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  aside TEXT,
  since TEXT,
  PRIMARY KEY (pass, turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_turn ON reading (turn);

CREATE TABLE call (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  pass TEXT NOT NULL REFERENCES pass (id) ON DELETE CASCADE,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  request TEXT NOT NULL,         -- a hash of all that was told; empty once some of that is gone
  outcome TEXT NOT NULL
) STRICT;
CREATE INDEX call_pass ON call (pass);

CREATE TABLE attempt (
  call TEXT NOT NULL REFERENCES call (id) ON DELETE CASCADE,
  nth INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  mode TEXT NOT NULL,
  room INTEGER NOT NULL,
  status INTEGER,
  finish TEXT,
  request_id TEXT,
  prompt_tokens INTEGER,
  cached_tokens INTEGER,
  completion_tokens INTEGER,
  reasoning_tokens INTEGER,
  seconds REAL NOT NULL,
  retry_after REAL,
  error TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (call, nth)
) STRICT;

-- What all calls of an hour took. It outlives them, for what was spent stays spent.
CREATE TABLE spending (
  hour TEXT PRIMARY KEY CHECK (hour GLOB '????-??-??T??:00:00.000000Z'),
  prompt_tokens INTEGER,
  cached_tokens INTEGER,
  completion_tokens INTEGER,
  reasoning_tokens INTEGER
) STRICT, WITHOUT ROWID;

-- What a model was told of, by which what it said of that is found.
CREATE TABLE offered (
  row INTEGER PRIMARY KEY,
  call TEXT NOT NULL REFERENCES call (id) ON DELETE CASCADE,
  turn TEXT,
  memory TEXT,
  CHECK ((memory IS NULL) <> (turn IS NULL))
) STRICT;
CREATE INDEX offered_call ON offered (call);
CREATE INDEX offered_turn ON offered (turn) WHERE turn IS NOT NULL;
CREATE INDEX offered_memory ON offered (memory) WHERE memory IS NOT NULL;

CREATE TABLE decision (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 26 AND NOT id GLOB '*[^0-9A-Z]*'),
  scope TEXT NOT NULL,           -- by its name: there may be nothing else in it yet
  selected_by TEXT NOT NULL REFERENCES pass (id) ON DELETE CASCADE,
  time TEXT NOT NULL CHECK (time GLOB '????-??-??T??:??:??.??????Z'),
  turn INTEGER REFERENCES turn (row) ON DELETE SET NULL,
  start INTEGER NOT NULL,
  stop INTEGER NOT NULL,
  quote TEXT NOT NULL,
  candidate TEXT NOT NULL,       -- the rest of it, as JSON
  digest BLOB NOT NULL,          -- of what it says, to know it again
  stage TEXT NOT NULL,
  operation TEXT,
  target TEXT,
  content TEXT,
  memory TEXT,
  reason TEXT,
  decided_by TEXT REFERENCES pass (id) ON DELETE SET NULL,
  decided_at TEXT CHECK (decided_at GLOB '????-??-??T??:??:??.??????Z'),
  tries INTEGER NOT NULL,
  calls TEXT NOT NULL            -- their ids, as JSON
) STRICT;
CREATE INDEX decision_scope ON decision (scope, digest);
CREATE INDEX decision_selected ON decision (selected_by);
CREATE INDEX decision_decided ON decision (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX decision_turn ON decision (turn) WHERE turn IS NOT NULL;
CREATE INDEX decision_memory ON decision (memory) WHERE memory IS NOT NULL;
CREATE INDEX decision_stage ON decision (stage, row);

CREATE TABLE neighbour (
  decision INTEGER NOT NULL REFERENCES decision (row) ON DELETE CASCADE,
  nth INTEGER NOT NULL,
  memory TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,         -- empty once the memory was forgotten
  status TEXT NOT NULL,
  distance REAL,
  ranks TEXT NOT NULL,           -- by the name of the list, as JSON
  PRIMARY KEY (decision, nth)
) STRICT, WITHOUT ROWID;
CREATE INDEX neighbour_memory ON neighbour (memory);

-- Which changes and which sources a pass made; and what it brought about besides, of which the
-- ledger does not tell: a scope that it was the first to use, an entity whose kind a memory told.
ALTER TABLE ledger ADD COLUMN pass TEXT;
CREATE INDEX ledger_pass ON ledger (pass) WHERE pass IS NOT NULL;
ALTER TABLE source ADD COLUMN pass TEXT;

CREATE TABLE consequence (
  row INTEGER PRIMARY KEY,
  pass TEXT NOT NULL REFERENCES pass (id) ON DELETE CASCADE,
  memory TEXT NOT NULL,
  scope INTEGER REFERENCES scope (row) ON DELETE CASCADE,
  entity INTEGER REFERENCES entity (row) ON DELETE CASCADE,
  CHECK ((scope IS NULL) <> (entity IS NULL))
) STRICT;
CREATE INDEX consequence_pass ON consequence (pass);
CREATE INDEX consequence_scope ON consequence (scope) WHERE scope IS NOT NULL;
CREATE INDEX consequence_entity ON consequence (entity) WHERE entity IS NOT NULL;

-- What models said of a turn goes with it, and why it was aside.
CREATE TRIGGER turn_leaves_calls AFTER DELETE ON turn BEGIN
  UPDATE attempt SET body = '', error = ''
    WHERE call IN (SELECT call FROM offered WHERE turn = old.id);
  UPDATE call SET request = '' WHERE id IN (SELECT call FROM offered WHERE turn = old.id);
  UPDATE reading SET aside = NULL WHERE turn = old.id;
  DELETE FROM unread_turn WHERE row = old.row;
  UPDATE decision SET turn = NULL WHERE turn = old.row;
END;

-- The same cascades for tools that leave foreign keys off.
CREATE TRIGGER pass_removed AFTER DELETE ON pass BEGIN
  DELETE FROM reading WHERE pass = old.id;
  DELETE FROM call WHERE pass = old.id;
  DELETE FROM decision WHERE selected_by = old.id;
  UPDATE decision SET decided_by = NULL WHERE decided_by = old.id;
  DELETE FROM consequence WHERE pass = old.id;
END;

CREATE TRIGGER call_removed AFTER DELETE ON call BEGIN
  DELETE FROM attempt WHERE call = old.id;
  DELETE FROM offered WHERE call = old.id;
END;

CREATE TRIGGER decision_removed AFTER DELETE ON decision BEGIN
  DELETE FROM neighbour WHERE decision = old.row;
END;
