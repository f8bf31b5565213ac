-- What stands: the latest said or confirmed, the pinned, and what was said most often.
CREATE INDEX memory_standing ON memory (
  scope, kind, max(recorded_at, coalesce(confirmed_at, recorded_at)))
  WHERE status = 'current';
CREATE INDEX memory_pinned ON memory (scope, kind) WHERE status = 'current' AND pinned = 1;
CREATE INDEX memory_often ON memory (scope, kind, mention_count)
  WHERE status = 'current' AND mention_count > 1;
