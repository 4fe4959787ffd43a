-- Renames tables and columns to the terms of the code and the documentation. Rows stay as they are. The table endings keeps its name: every
-- transaction writes to it at its end, also those of earlier migrations.

ALTER TABLE people RENAME TO users;
ALTER TABLE users RENAME COLUMN folded TO folded_name;
ALTER TABLE users RENAME COLUMN allows TO scope;
ALTER TABLE passes RENAME TO credentials;
ALTER TABLE credentials RENAME COLUMN person_id TO user_id;
ALTER TABLE credentials RENAME COLUMN allows TO scope;
ALTER TABLE credentials RENAME COLUMN ends_at TO expires_at;

ALTER TABLE readings RENAME TO subscriptions;
ALTER TABLE subscriptions RENAME COLUMN person_id TO user_id;
ALTER TABLE subscriptions RENAME COLUMN up_to TO read_up_to;
ALTER TABLE subscriptions RENAME COLUMN was_up_to TO previous_read_up_to;
ALTER TABLE waiting_readings RENAME TO pending_subscriptions;
ALTER TABLE pending_subscriptions RENAME COLUMN person_id TO user_id;
ALTER TABLE marks RENAME TO read_states;
ALTER TABLE read_states RENAME COLUMN person_id TO user_id;
ALTER TABLE read_states RENAME COLUMN was TO was_read;
ALTER SEQUENCE mark_changes RENAME TO read_state_changes;
ALTER TABLE stars RENAME COLUMN person_id TO user_id;
ALTER TABLE left_feeds RENAME TO unfollowed_feeds;
ALTER TABLE removed_people RENAME TO removed_users;
ALTER TABLE removed_users RENAME COLUMN person_id TO user_id;
ALTER TABLE removed_readings RENAME TO removed_subscriptions;
ALTER TABLE removed_subscriptions RENAME COLUMN person_id TO user_id;

ALTER TABLE saved_searches RENAME COLUMN person_id TO user_id;
ALTER TABLE saved_searches RENAME COLUMN folded TO folded_name;
ALTER TABLE feeds_out RENAME TO outgoing_feeds;
ALTER TABLE outgoing_feeds RENAME COLUMN person_id TO user_id;
ALTER TABLE webhooks RENAME COLUMN person_id TO user_id;

ALTER TABLE pushes RENAME TO hub_subscriptions;
ALTER TABLE misses RENAME TO failed_probes;
ALTER TABLE article_lines RENAME TO article_queues;
ALTER TABLE article_queues RENAME COLUMN taken_at TO leased_at;
ALTER TABLE feed_leases RENAME COLUMN taken_at TO leased_at;
ALTER TABLE source_leases RENAME COLUMN taken_at TO leased_at;
ALTER TABLE unplaced RENAME TO ungrouped;
ALTER TABLE signatures RENAME COLUMN placed_at TO grouped_at;
ALTER TABLE feed_habits RENAME TO feed_boilerplate;
ALTER TABLE entry_search RENAME COLUMN said TO phrase_text;

-- Names of indexes, constraints and sequences do not follow their tables.
DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT c.relname AS old, c.relkind AS kind, replace(replace(
        t.new || substr(c.relname, length(t.old) + 1), '_of_person', '_of_user'), '_folded_key', '_folded_name_key') AS new
    FROM (VALUES ('people', 'users'), ('passes', 'credentials'), ('readings', 'subscriptions'),
      ('waiting_readings', 'pending_subscriptions'), ('marks', 'read_states'), ('left_feeds', 'unfollowed_feeds'),
      ('removed_people', 'removed_users'), ('removed_readings', 'removed_subscriptions'), ('feeds_out', 'outgoing_feeds'),
      ('webhooks', 'webhooks'), ('pushes', 'hub_subscriptions'), ('misses', 'failed_probes'),
      ('article_lines', 'article_queues'), ('unplaced', 'ungrouped'), ('feed_habits', 'feed_boilerplate')) AS t (old, new)
    JOIN pg_class c ON c.relkind IN ('i', 'S') AND starts_with(c.relname, t.old || '_')
    WHERE c.relnamespace = current_schema()::regnamespace
  LOOP
    CONTINUE WHEN item.old = item.new;
    EXECUTE format(CASE item.kind WHEN 'S' THEN 'ALTER SEQUENCE %I RENAME TO %I' ELSE 'ALTER INDEX %I RENAME TO %I' END,
      item.old, item.new);
  END LOOP;
END $$;
