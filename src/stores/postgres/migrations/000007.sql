-- What controllers report beside their polls: how many entries these found that were published since the poll before, and how long
-- all of them waited. The leader compares that with what it promised.

ALTER TABLE market_spent ADD COLUMN entries double precision NOT NULL DEFAULT 0,
  ADD COLUMN waited_ms double precision NOT NULL DEFAULT 0;
