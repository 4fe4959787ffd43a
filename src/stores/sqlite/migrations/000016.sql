-- Nothing in one transaction grows with the size of a group. How far members are from the primary is worked out when they are
-- read, and summed over the earliest 32 only; a group that another takes in goes over in bites.

UPDATE groups SET distance_sum =
  (SELECT sum(distance) FROM (SELECT distance FROM members WHERE group_id = groups.id ORDER BY at, entry_id LIMIT 32))
  WHERE size > 32;
ALTER TABLE members DROP COLUMN distance;

ALTER TABLE groups ADD COLUMN into_id INTEGER; -- none unless it is on its way into another
CREATE INDEX groups_on_their_way ON groups (into_id, id) WHERE into_id IS NOT NULL;
