-- additive
-- How a feed is fetched and read where it needs special treatment, as JSON; secret values are encrypted.

ALTER TABLE feeds ADD COLUMN fetching text;
