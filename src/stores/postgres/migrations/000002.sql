-- What several processes need of each other: which page is being fetched from a line, who does what for all, and what was spent.
ALTER TABLE article_lines ADD COLUMN leased_id bigint, ADD COLUMN taken_at bigint;

CREATE TABLE leaders (
  role  text PRIMARY KEY,
  name  text, -- of who does it; none: nobody
  until bigint NOT NULL,
  epoch bigint NOT NULL
);

-- Added up since the price was last reckoned with it.
CREATE TABLE market_spent (
  id        smallint PRIMARY KEY CHECK (id = 1),
  following double precision NOT NULL,
  others    double precision NOT NULL
);
