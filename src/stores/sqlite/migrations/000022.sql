-- Words of these languages are now found without their accents and points: what was indexed with them is indexed again.

INSERT OR REPLACE INTO unindexed (entry_id)
SELECT id FROM entries WHERE language IN ('el', 'he', 'yi', 'ar', 'fa', 'ur', 'ps', 'ckb', 'ru', 'be');
