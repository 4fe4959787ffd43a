-- Consecutive unchanged polls of a feed are one line of the log, a run: how many there were, from when until when (`at`), and each of them
-- packed (sql/packed-run.ts). The run that the next poll may continue stands with the schedule, and goes to the log when it ends.

ALTER TABLE polls ADD COLUMN times integer NOT NULL DEFAULT 1, ADD COLUMN began_at bigint, ADD COLUMN run bytea;
ALTER TABLE schedules ADD COLUMN run bytea;
ALTER TABLE schedules ALTER COLUMN run SET STORAGE MAIN; -- it is small, and read with its row
