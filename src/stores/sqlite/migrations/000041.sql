-- Renames tables and columns to the terms of the code and the documentation. Rows stay as they are.

ALTER TABLE people RENAME TO users;
ALTER TABLE users RENAME COLUMN folded TO folded_name;
ALTER TABLE users RENAME COLUMN allows TO scope;

DROP INDEX passes_of_person;
ALTER TABLE passes RENAME TO credentials;
ALTER TABLE credentials RENAME COLUMN person_id TO user_id;
ALTER TABLE credentials RENAME COLUMN allows TO scope;
ALTER TABLE credentials RENAME COLUMN ends_at TO expires_at;
CREATE INDEX credentials_of_user ON credentials (user_id);

DROP INDEX readings_of_feed;
DROP INDEX readings_by_folder;
DROP INDEX readings_by_change;
DROP INDEX readings_unread;
ALTER TABLE readings RENAME TO subscriptions;
ALTER TABLE subscriptions RENAME COLUMN person_id TO user_id;
ALTER TABLE subscriptions RENAME COLUMN up_to TO read_up_to;
ALTER TABLE subscriptions RENAME COLUMN was_up_to TO previous_read_up_to;
CREATE INDEX subscriptions_of_feed ON subscriptions (feed_id, user_id);
CREATE INDEX subscriptions_by_folder ON subscriptions (user_id, folder_key, folder, unread);
CREATE INDEX subscriptions_by_change ON subscriptions (user_id, change_id) WHERE change_id IS NOT NULL;
CREATE INDEX subscriptions_unread ON subscriptions (user_id, feed_id) WHERE unread > 0;

DROP INDEX waiting_readings_of_source;
ALTER TABLE waiting_readings RENAME TO pending_subscriptions;
ALTER TABLE pending_subscriptions RENAME COLUMN person_id TO user_id;
CREATE INDEX pending_subscriptions_of_source ON pending_subscriptions (source_id, user_id);

DROP INDEX marks_by_change;
ALTER TABLE marks RENAME TO read_states;
ALTER TABLE read_states RENAME COLUMN person_id TO user_id;
ALTER TABLE read_states RENAME COLUMN was TO was_read;
CREATE INDEX read_states_by_change ON read_states (user_id, change_id, feed_id);
ALTER TABLE mark_changes RENAME TO read_state_changes;

ALTER TABLE stars RENAME COLUMN person_id TO user_id;
ALTER TABLE left_feeds RENAME TO unfollowed_feeds;
ALTER TABLE removed_people RENAME TO removed_users;
ALTER TABLE removed_users RENAME COLUMN person_id TO user_id;
ALTER TABLE removed_readings RENAME TO removed_subscriptions;
ALTER TABLE removed_subscriptions RENAME COLUMN person_id TO user_id;

ALTER TABLE saved_searches RENAME COLUMN person_id TO user_id;
ALTER TABLE saved_searches RENAME COLUMN folded TO folded_name;

DROP INDEX feeds_out_of_person;
DROP INDEX feeds_out_of_feed;
DROP INDEX feeds_out_of_search;
ALTER TABLE feeds_out RENAME TO outgoing_feeds;
ALTER TABLE outgoing_feeds RENAME COLUMN person_id TO user_id;
CREATE INDEX outgoing_feeds_of_user ON outgoing_feeds (user_id);
CREATE INDEX outgoing_feeds_of_feed ON outgoing_feeds (feed_id) WHERE feed_id IS NOT NULL;
CREATE INDEX outgoing_feeds_of_search ON outgoing_feeds (search_id) WHERE search_id IS NOT NULL;

DROP INDEX webhooks_of_person;
ALTER TABLE webhooks RENAME COLUMN person_id TO user_id;
CREATE INDEX webhooks_of_user ON webhooks (user_id);

DROP INDEX pushes_by_feed;
DROP INDEX pushes_due;
ALTER TABLE pushes RENAME TO hub_subscriptions;
CREATE INDEX hub_subscriptions_by_feed ON hub_subscriptions (feed_id);
CREATE INDEX hub_subscriptions_due ON hub_subscriptions (due_at);

DROP INDEX misses_by_host;
DROP INDEX misses_by_age;
ALTER TABLE misses RENAME TO failed_probes;
CREATE INDEX failed_probes_by_host ON failed_probes (host, at);
CREATE INDEX failed_probes_by_age ON failed_probes (at);

DROP INDEX article_lines_free;
DROP INDEX article_lines_leased;
ALTER TABLE article_lines RENAME TO article_queues;
CREATE INDEX article_queues_free ON article_queues (due_at) WHERE leased_until IS NULL;
CREATE INDEX article_queues_leased ON article_queues (leased_until) WHERE leased_until IS NOT NULL;

ALTER TABLE feed_leases RENAME COLUMN taken_at TO leased_at;
ALTER TABLE source_leases RENAME COLUMN taken_at TO leased_at;
ALTER TABLE unplaced RENAME TO ungrouped;
ALTER TABLE signatures RENAME COLUMN placed_at TO grouped_at;
ALTER TABLE feed_habits RENAME TO feed_boilerplate;
ALTER TABLE entry_places RENAME TO search_positions;
ALTER TABLE entry_beginnings RENAME TO search_prefixes;
