-- Entries of a removed feed are taken off the counters a few thousand at a time: up to this one; null: all are.

ALTER TABLE removals ADD COLUMN counted_to bigint;
