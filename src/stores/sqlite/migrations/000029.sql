-- What a person names while it runs: a budget. And what an entry said before it was changed.

CREATE TABLE named_budget (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  polls_per_day REAL NOT NULL
);

ALTER TABLE entry_versions ADD COLUMN body TEXT; -- HTML, cut; of the latest few
