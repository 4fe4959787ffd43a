-- Hosts that rest, without a look at all others; sources that are still looked for, in the order in which they were added.

CREATE INDEX hosts_resting ON hosts (not_before_at);
CREATE INDEX sources_by_state ON sources (state);
