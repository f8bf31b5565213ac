-- Texts name entities, and a name stands for one of them: a mention belongs to the alias by which the
-- text names the entity, and the alias to the entity. So merging two moves aliases, no mentions, and
-- their names can be taken apart again.

ALTER TABLE entity ADD COLUMN kind TEXT NOT NULL DEFAULT 'thing' CHECK (kind IN (
  'person', 'project', 'host', 'service', 'file', 'place', 'thing'));
ALTER TABLE entity ADD COLUMN arranged INTEGER NOT NULL DEFAULT 0;  -- somebody merged or split it, and the
  -- ledger holds its names
CREATE INDEX entity_scope ON entity (scope);

-- A tool that leaves foreign keys off may have deleted what others refer to, or named no alias.
DELETE FROM link WHERE entity NOT IN (SELECT row FROM entity)
  OR other NOT IN (SELECT row FROM entity) OR memory NOT IN (SELECT row FROM memory);
CREATE TEMP TABLE old_alias AS
  SELECT row_number() OVER (ORDER BY entity, name) AS row, entity, name FROM (
    SELECT entity, name FROM alias WHERE entity IN (SELECT row FROM entity)
    UNION ALL SELECT row, name FROM entity WHERE row NOT IN (SELECT entity FROM alias));
CREATE INDEX temp.old_alias_entity ON old_alias (entity, row);
CREATE TEMP TABLE old_mention AS
  SELECT row, (SELECT min(row) FROM old_alias a WHERE a.entity = m.entity) AS alias, memory, turn
  FROM mention m
  WHERE memory IN (SELECT row FROM memory) OR turn IN (SELECT row FROM turn);
DROP TABLE mention;
DROP TABLE alias;

CREATE TABLE alias (
  row INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL REFERENCES entity (row) ON DELETE CASCADE,
  name TEXT NOT NULL,            -- what the ways to write it have in common, as it is looked up
  own INTEGER                    -- whether the entity is called just that; NULL: not brought in form
) STRICT;
CREATE INDEX alias_name ON alias (name, entity);
CREATE INDEX alias_entity ON alias (entity);
CREATE INDEX alias_unformed ON alias (row) WHERE own IS NULL;

CREATE TABLE mention (
  row INTEGER PRIMARY KEY,
  alias INTEGER NOT NULL REFERENCES alias (row) ON DELETE CASCADE,
  memory INTEGER REFERENCES memory (row) ON DELETE CASCADE,
  turn INTEGER REFERENCES turn (row) ON DELETE CASCADE,
  start INTEGER,                 -- the character at which the text names it; NULL: it was given
  CHECK ((memory IS NULL) <> (turn IS NULL))
) STRICT;
CREATE INDEX mention_alias ON mention (alias, memory, turn, start);
CREATE INDEX mention_memory ON mention (memory, alias) WHERE memory IS NOT NULL;
CREATE INDEX mention_turn ON mention (turn, alias) WHERE turn IS NOT NULL;

INSERT INTO alias (row, entity, name) SELECT row, entity, name FROM old_alias;
INSERT INTO mention (row, alias, memory, turn)
  SELECT row, alias, memory, turn FROM old_mention WHERE alias IS NOT NULL;
DROP TABLE old_mention;
DROP TABLE old_alias;

ALTER TABLE ledger ADD COLUMN entity TEXT;
CREATE INDEX ledger_entity ON ledger (entity) WHERE entity IS NOT NULL;

-- Texts in which names were not looked for, because they are older or written by another tool; they
-- are completed at the next opening.
CREATE TABLE memory_without_mentions (row INTEGER PRIMARY KEY) STRICT;
CREATE TABLE turn_without_mentions (row INTEGER PRIMARY KEY) STRICT;
INSERT INTO memory_without_mentions SELECT row FROM memory;
INSERT INTO turn_without_mentions SELECT row FROM turn;

CREATE TRIGGER memory_wants_mentions AFTER INSERT ON memory WHEN new.terms IS NULL BEGIN
  INSERT OR IGNORE INTO memory_without_mentions VALUES (new.row);
END;

CREATE TRIGGER memory_wants_other_mentions AFTER UPDATE OF content, scope ON memory
WHEN old.scope IS NOT new.scope
  OR old.content IS NOT new.content AND (new.terms IS NULL OR old.terms IS new.terms) BEGIN
  INSERT OR IGNORE INTO memory_without_mentions VALUES (new.row);
END;

CREATE TRIGGER memory_wants_no_mentions AFTER DELETE ON memory BEGIN
  DELETE FROM memory_without_mentions WHERE row = old.row;
END;

CREATE TRIGGER passage_wants_mentions AFTER INSERT ON passage WHEN new.terms IS NULL BEGIN
  INSERT OR IGNORE INTO turn_without_mentions VALUES (new.turn);
END;

CREATE TRIGGER passage_wants_other_mentions AFTER UPDATE OF content ON passage
WHEN old.content IS NOT new.content AND (new.terms IS NULL OR old.terms IS new.terms) BEGIN
  INSERT OR IGNORE INTO turn_without_mentions VALUES (new.turn);
END;

CREATE TRIGGER conversation_wants_other_mentions AFTER UPDATE OF scope ON conversation
WHEN old.scope IS NOT new.scope BEGIN
  INSERT OR IGNORE INTO turn_without_mentions SELECT row FROM turn WHERE conversation = new.row;
END;

CREATE TRIGGER turn_wants_no_mentions AFTER DELETE ON turn BEGIN
  DELETE FROM turn_without_mentions WHERE row = old.row;
END;

-- What nothing mentions any more goes, and so does what the ledger tells of its names.
CREATE TRIGGER mention_removed AFTER DELETE ON mention BEGIN
  DELETE FROM entity WHERE row = (SELECT entity FROM alias WHERE row = old.alias)
    AND NOT EXISTS (SELECT 1 FROM alias a JOIN mention n ON n.alias = a.row
      WHERE a.entity = entity.row);
END;

CREATE TRIGGER arranged_entity_leaves BEFORE DELETE ON entity WHEN old.arranged BEGIN
  UPDATE ledger SET before = NULL, after = NULL WHERE entity IS NOT NULL AND scope = old.scope
    AND EXISTS (SELECT 1 FROM alias a WHERE a.entity = old.row
      AND instr(coalesce(before, '') || coalesce(after, ''), json_quote(a.name)));
END;

-- The same cascades for tools that leave foreign keys off.
CREATE TRIGGER entity_removed AFTER DELETE ON entity BEGIN
  DELETE FROM alias WHERE entity = old.row;
  DELETE FROM link WHERE entity = old.row OR other = old.row;
END;

CREATE TRIGGER alias_removed AFTER DELETE ON alias BEGIN
  DELETE FROM mention WHERE alias = old.row;
END;
