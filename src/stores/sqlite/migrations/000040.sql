-- The title that the publisher gave a feed last, so that titles nobody chose can follow it. And how a feed rewrites its entries
-- from fetch to fetch, as JSON.

ALTER TABLE feeds ADD COLUMN publisher_title TEXT;
ALTER TABLE feeds ADD COLUMN quirks TEXT;
