-- What an entry says below its title, as a number: so that a poll sees that a text was rewritten.

ALTER TABLE entries ADD COLUMN text_hash INTEGER;
