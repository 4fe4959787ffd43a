-- What a person names while it runs: a budget. And what an entry said before it was changed.

CREATE TABLE named_budget (
  id            smallint PRIMARY KEY CHECK (id = 1),
  polls_per_day double precision NOT NULL
);

ALTER TABLE entry_versions ADD COLUMN body text; -- HTML, cut; of the latest few
