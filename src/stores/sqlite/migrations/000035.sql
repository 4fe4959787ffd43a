-- Consecutive unchanged polls of a feed are one line of the log, a run: how many there were, from when until when (`at`), and each of them
-- packed (sql/packed-run.ts). The run that the next poll may continue stands with the schedule, and goes to the log when it ends.

ALTER TABLE polls ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
ALTER TABLE polls ADD COLUMN began_at INTEGER; -- of a run
ALTER TABLE polls ADD COLUMN run BLOB;
ALTER TABLE schedules ADD COLUMN run BLOB;
