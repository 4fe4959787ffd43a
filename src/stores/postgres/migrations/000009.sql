-- Two controllers may change one push subscription: a write counts only under the revision that was read.

ALTER TABLE pushes ADD COLUMN revision integer NOT NULL DEFAULT 0;
