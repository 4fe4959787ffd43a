-- Up to which entry those of a removed feed are taken off the counters: a feed may have too many to be counted at once. None: all of them.
ALTER TABLE removals ADD COLUMN counted_to INTEGER;
