-- Two who change one push subscription at once: a write counts only under the revision that was read.

ALTER TABLE pushes ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
