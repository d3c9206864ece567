ATTACH 'x' AS y; PRAGMA writable_schema = 1; SELECT load_extension('x'), readfile('/etc/passwd'), fts3_tokenizer('a'); CREATE TRIGGER t; DELETE FROM run
