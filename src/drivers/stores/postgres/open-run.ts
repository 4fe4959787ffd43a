/**
 * The open run of unchanged polls of a feed, of `schedules s`, in the shape of a line of the log (sql/poll-rows.ts), with the same columns in
 * the same order. It is there where there is none, too, and then has no polls: the feed's chain of lines begins with it.
 */
export const TYPED_OPEN_RUN = `0::bigint AS place, s.last_poll AS previous, s.feed_id, s.polled_at AS at, 0::bigint AS took_ms, 0::bigint AS bytes,
  0::smallint AS asked, 0::smallint AS occasion, NULL::bigint AS rest_until, 0::smallint AS result, NULL::integer AS fresh,
  NULL::integer AS changed, NULL::integer AS window_size, NULL::text AS failure, 0::integer AS times,
  NULL::bigint AS began_at, s.run`
