-- A home as schema 1 left it. Its migration, which must not change any more, has the sha256
-- 4750ce1fef771484ab614ddebeb1a4335c9c3c63c0dd064143cc25b0acef8f67

INSERT INTO home (name, value)
  VALUES ('capturing_since', '2026-11-29T22:21:08.899933Z');
INSERT INTO home (name, value)
  VALUES ('created_at', '2026-11-29T22:21:08.871464Z');
INSERT INTO home (name, value)
  VALUES ('id', '6327a8a6-810f-4709-af17-37507c732e94');
INSERT INTO scope (row, name)
  VALUES (1, 'user');
INSERT INTO conversation (row, scope, project, name)
  VALUES (1, 1, NULL, 'c');
INSERT INTO turn (row, id, conversation, key, digest, role, speaker, time, utc_offset, recorded_at)
  VALUES (1, '01M8MPBMY5YVFMCPBE0DN447GT', 1, '1', X'1537D89663335C2D2133B74BF9EB62C0', 'user', 'Mara', '2026-03-13T19:14:00.000000Z', 60, '2026-11-29T22:21:08.933001Z');
INSERT INTO turn (row, id, conversation, key, digest, role, speaker, time, utc_offset, recorded_at)
  VALUES (2, '01M8MPBMY5YVFMCPBE0DN447GV', 1, '2', X'5602F120675759D193E7FA4F2EA4FA2B', 'assistant', NULL, '2026-11-29T22:21:08.933001Z', 0, '2026-11-29T22:21:08.933001Z');
INSERT INTO passage (row, turn, start, content, terms, scope)
  VALUES (1, 1, 0, '止損單那個詞我老是記不住。', 'Mara 13 March 2026 2026-03-13 止损单那个词我老是记不住 止损 损单 单那 那个 个词 词我 我老 老是 是记 记不 不住 住 ', 1);
INSERT INTO passage (row, turn, start, content, terms, scope)
  VALUES (2, 2, 0, 'Noted.', '29 November 2026 2026-11-29', 1);
INSERT INTO memory (row, id, scope, kind, content, detail, terms, digest, status, confidence, pinned, recorded_at, closed_at, valid_from, valid_to, valid_to_open, confirmed_at, used_at, use_count, mention_count, superseded_by)
  VALUES (1, '01M8MPBMX8TRYFQMP7VNJSM9WJ', 1, 'environment', 'The pool is called tonk', NULL, 'nas atlas-nas', X'62D19C03AE35E552622402A173CE37F4', 'superseded', 0.9, 0, '2026-11-29T22:21:08.904886Z', '2026-11-29T22:21:08.929566Z', '2026-11-29T22:21:08.904886Z', '2026-11-29T22:21:08.929566Z', NULL, NULL, NULL, 0, 1, '01M8MPBMY12D1EEES4SS74BGHJ');
INSERT INTO memory (row, id, scope, kind, content, detail, terms, digest, status, confidence, pinned, recorded_at, closed_at, valid_from, valid_to, valid_to_open, confirmed_at, used_at, use_count, mention_count, superseded_by)
  VALUES (2, '01M8MPBMY12D1EEES4SS74BGHJ', 1, 'environment', 'The pool is called tank', NULL, 'nas atlas-nas', X'48F2DAC898D4761C5EF646A812CE0B73', 'current', 0.9, 0, '2026-11-29T22:21:08.929566Z', NULL, '2026-11-29T22:21:08.929566Z', NULL, NULL, NULL, NULL, 0, 1, NULL);
INSERT INTO topic (memory, name)
  VALUES (1, 'nas');
INSERT INTO topic (memory, name)
  VALUES (2, 'nas');
INSERT INTO source (row, memory, kind, time, quote, turn, start, stop, path, line, by)
  VALUES (1, 1, 'person', '2026-11-29T22:21:08.904886Z', NULL, NULL, NULL, NULL, NULL, NULL, 'python');
INSERT INTO source (row, memory, kind, time, quote, turn, start, stop, path, line, by)
  VALUES (2, 2, 'person', '2026-11-29T22:21:08.929566Z', NULL, NULL, NULL, NULL, NULL, NULL, 'python');
INSERT INTO entity (row, id, scope, name)
  VALUES (1, '01M8MPBMX8TRYFQMP7VNJSM9WK', 1, 'atlas-nas');
INSERT INTO alias (entity, name)
  VALUES (1, 'atlas-nas');
INSERT INTO mention (row, entity, memory, turn)
  VALUES (1, 1, 1, NULL);
INSERT INTO mention (row, entity, memory, turn)
  VALUES (2, 1, 2, NULL);
INSERT INTO ledger (row, time, operation, by, scope, memory, conversation, reason, before, after)
  VALUES (1, '2026-11-29T22:21:08.899933Z', 'enable', 'python', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO ledger (row, time, operation, by, scope, memory, conversation, reason, before, after)
  VALUES (2, '2026-11-29T22:21:08.904886Z', 'remember', 'python', 1, '01M8MPBMX8TRYFQMP7VNJSM9WJ', NULL, NULL, NULL, '{"kind":"environment","content":"The pool is called tonk","scope":"user","recorded_at":"2026-11-29T22:21:08.904886+00:00","confidence":0.9,"topics":["nas"],"entities":["atlas-nas"],"sources":[{"kind":"person","time":"2026-11-29T22:21:08.904886+00:00","by":"python"}],"pinned":false,"status":"current","valid_from":"2026-11-29T22:21:08.904886+00:00","mention_count":1}');
INSERT INTO ledger (row, time, operation, by, scope, memory, conversation, reason, before, after)
  VALUES (3, '2026-11-29T22:21:08.929566Z', 'revise', 'python', 1, '01M8MPBMY12D1EEES4SS74BGHJ', NULL, NULL, NULL, '{"kind":"environment","content":"The pool is called tank","scope":"user","recorded_at":"2026-11-29T22:21:08.929566+00:00","confidence":0.9,"topics":["nas"],"entities":["atlas-nas"],"sources":[{"kind":"person","time":"2026-11-29T22:21:08.929566+00:00","by":"python"}],"pinned":false,"status":"current","valid_from":"2026-11-29T22:21:08.929566+00:00","mention_count":1}');
INSERT INTO ledger (row, time, operation, by, scope, memory, conversation, reason, before, after)
  VALUES (4, '2026-11-29T22:21:08.929566Z', 'revise', 'python', 1, '01M8MPBMX8TRYFQMP7VNJSM9WJ', NULL, NULL, '{"status":"current","closed_at":null,"valid_to":null,"superseded_by":null}', '{"status":"superseded","closed_at":"2026-11-29T22:21:08.929566+00:00","valid_to":"2026-11-29T22:21:08.929566+00:00","superseded_by":"01M8MPBMY12D1EEES4SS74BGHJ"}');
INSERT INTO ledger (row, time, operation, by, scope, memory, conversation, reason, before, after)
  VALUES (5, '2026-11-29T22:21:08.933001Z', 'observe', 'python', 1, NULL, 'c', NULL, NULL, '{"turns": 2}');
