-- What comes with an entry beside its words: files and pictures, tags, people, comments, a place, a licence, an episode. JSON, as
-- it is only ever read whole, and NULL where there is nothing. See model/media.ts.

ALTER TABLE entries ADD COLUMN extras TEXT;
