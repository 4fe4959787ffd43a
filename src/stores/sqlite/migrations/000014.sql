-- How many pages each feed has had fetched in which hour: those have their own bound a day.

ALTER TABLE feed_hours ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
