/** Adds and changes feeds and their schedules, many in a few statements, for the several methods that do so. */
import type { Feed, FeedId, Schedule } from '../../../model/index.ts'
import type { FeedChange, NewFeed } from '../../../ports/index.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { changedFeed, FEED_COLUMN_NAMES, feedColumns, feedCounted, presentOnly } from '../sql/feed-columns.ts'
import { FEED_COLUMNS, type FeedRow, feedOf, keyHash, scheduleColumns } from '../sql/rows.ts'
import { countFeed } from '../sql/tally.ts'
import { manyRows } from './columns.ts'
import { bucketOfFeed } from './rows.ts'
import type { RowAsker, Transaction } from './session.ts'

export interface ChangeOfFeed {
  id: FeedId
  change: FeedChange
  schedule?: Partial<Schedule> | undefined
}

const SMALLINTS = ['bucket', 'listed', 'private']
const BIGINTS = ['subscribers', 'gap_at', 'sought_at', 'built_at']

const COLUMNS = FEED_COLUMN_NAMES.map(
  (name): TypedColumn =>
    `${name} ${SMALLINTS.includes(name) ? 'smallint' : BIGINTS.includes(name) ? 'bigint' : 'text'}`,
)

const SCHEDULE_NAMES = 'due_at, polled_at, succeeded_at, failures, trouble, strategy, memory, trust, because'.split(
  ', ',
)

/** In the order of `scheduleColumns`. */
export const SCHEDULE_COLUMNS: TypedColumn[] = [
  'due_at bigint',
  'polled_at bigint',
  'succeeded_at bigint',
  'failures integer',
  'trouble text',
  'strategy text',
  'memory bytea',
  'trust text',
  'because text',
]

export const FEEDS_AND_SCHEDULES = `SELECT ${FEED_COLUMNS} FROM feeds f JOIN schedules s ON s.feed_id = f.id`

/** In the order of `feeds`. One whose address is there already is left as it is. A name that another has is left out. */
export async function addFeedsIn(tx: Transaction, feeds: NewFeed[]): Promise<{ id: FeedId; added: boolean }[]> {
  const hashes = feeds.map(({ feed }) => String(keyHash(feed.url)))
  const there = await idsAt(tx, hashes)
  const fresh = new Map<string, NewFeed>()
  feeds.forEach((one, i) => {
    const hash = hashes[i]!
    if (!there.has(hash) && !fresh.has(hash)) fresh.set(hash, one)
  })
  const added = fresh.size > 0 ? await insertFeeds(tx, fresh) : new Map<string, FeedId>()
  const others = added.size < fresh.size ? await idsAt(tx, hashes) : there // another was faster
  const answered = new Set<string>()
  return hashes.map((hash) => {
    const mine = added.get(hash)
    const isFirst = mine !== undefined && !answered.has(hash)
    answered.add(hash)
    return { id: mine ?? others.get(hash)!, added: isFirst }
  })
}

async function insertFeeds(tx: Transaction, fresh: Map<string, NewFeed>): Promise<Map<string, FeedId>> {
  const named = await withOwnNames(
    tx,
    [...fresh.values()].map(({ feed }) => feed),
  )
  const given = [...fresh].map(([hash, { schedule }], i) => {
    const feed = named[i]!
    return [
      feed.url,
      hash,
      feed.addedAt,
      ...feedColumns(feed),
      feed.state,
      bucketOfFeed(feed),
      ...scheduleColumns(schedule),
    ]
  })
  // What a feed and its schedule both have is called otherwise in what is given.
  const { sql, values } = manyRows(
    'g',
    [
      'url text',
      'url_hash bigint',
      'added_at bigint',
      ...COLUMNS,
      'state text',
      'own_bucket smallint',
      ...SCHEDULE_COLUMNS,
    ],
    given,
  )
  const names = FEED_COLUMN_NAMES.join(', ')
  const rows = await tx.rows<{ id: FeedId; hash: string }>(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     added AS (INSERT INTO feeds (url, url_hash, added_at, ${names}) SELECT url, url_hash, added_at, ${names} FROM given ORDER BY n
       ON CONFLICT (url_hash) DO NOTHING RETURNING id, url_hash),
     scheduled AS (INSERT INTO schedules (feed_id, state, bucket, ${SCHEDULE_NAMES.join(', ')})
       SELECT added.id, g.state, g.own_bucket, ${SCHEDULE_NAMES.map((name) => `g.${name}`).join(', ')}
       FROM added JOIN given g ON g.url_hash = added.url_hash)
     SELECT id, url_hash::text AS hash FROM added`,
    values,
  )
  const added = new Map(rows.map(({ id, hash }) => [hash, id]))
  for (const [hash, { feed, schedule }] of fresh)
    if (added.has(hash)) countFeed(tx.tally, 1, feedCounted(feed, schedule))
  return added
}

/** Feeds by the hashes of their addresses. */
export async function idsAt(query: RowAsker, hashes: string[]): Promise<Map<string, FeedId>> {
  if (hashes.length === 0) return new Map()
  const rows = await query.rows<{ id: FeedId; hash: string }>(
    'SELECT id, url_hash::text AS hash FROM feeds WHERE url_hash = ANY ($1::bigint[])',
    [hashes],
  )
  return new Map(rows.map(({ id, hash }) => [hash, id]))
}

/** A name is that of one feed: what another has is left out, and what one before has got. */
async function withOwnNames<Named extends Omit<Feed, 'id'> & { id?: FeedId }>(
  query: RowAsker,
  feeds: Named[],
): Promise<Named[]> {
  const names = feeds.flatMap(({ name }) => name ?? [])
  if (names.length === 0) return feeds
  const rows = await query.rows<{ id: FeedId; name: string }>(
    'SELECT id, name FROM feeds WHERE md5(name) IN (SELECT md5(t.name) FROM unnest($1::text[]) AS t (name))',
    [names],
  )
  const holders = new Map<string, FeedId | 0>(rows.map(({ id, name }) => [name, id]))
  return feeds.map((feed) => {
    const { name, ...unnamed } = feed
    if (name === undefined) return feed
    const holder = holders.get(name)
    if (holder !== undefined && holder !== feed.id) return unnamed as Named
    holders.set(name, feed.id ?? 0)
    return feed
  })
}

/** Locks the schedules of feeds, in an order in which nobody waits for who waits for him. */
export async function lockSchedules(tx: Transaction, ids: FeedId[]): Promise<void> {
  await tx.rows('SELECT 1 FROM schedules WHERE feed_id = ANY ($1::bigint[]) ORDER BY feed_id FOR UPDATE', [ids])
}

/**
 * One change a feed at most; their schedules are locked. Two feeds never share an address: one that another feed has is left out of
 * the change, and its root. Answers which of them are there.
 */
export async function changeFeedsIn(tx: Transaction, changes: ChangeOfFeed[]): Promise<Set<FeedId>> {
  if (changes.length === 0) return new Set()
  const rows = await tx.rows<FeedRow>(`${FEEDS_AND_SCHEDULES} WHERE f.id = ANY ($1::bigint[])`, [
    changes.map(({ id }) => id),
  ])
  const before = new Map(rows.map((row) => [row.id, feedOf(row)]))
  const after = changes.flatMap(({ id, change, schedule }) => {
    const old = before.get(id)
    if (!old) return []
    return [{ feed: changedFeed(old.feed, change), schedule: { ...old.schedule, ...presentOnly(schedule ?? {}) } }]
  })
  await leaveTakenAddresses(tx, after, (id) => before.get(id)!.feed)
  const named = await withOwnNames(
    tx,
    after.map(({ feed }) => feed),
  )
  const given = after.map(({ schedule }, i) => {
    const feed = named[i]!
    return [
      feed.id,
      feed.url,
      keyHash(feed.url),
      ...feedColumns(feed),
      feed.state,
      bucketOfFeed(feed),
      ...scheduleColumns(schedule),
    ]
  })
  const { sql, values } = manyRows(
    'g',
    ['id bigint', 'url text', 'url_hash bigint', ...COLUMNS, 'state text', 'own_bucket smallint', ...SCHEDULE_COLUMNS],
    given,
  )
  const set = (names: readonly string[]) => names.map((name) => `${name} = g.${name}`).join(', ')
  await tx.run(
    `WITH given AS MATERIALIZED (SELECT * FROM ${sql}),
     told AS (UPDATE feeds f SET ${set(['url', 'url_hash', ...FEED_COLUMN_NAMES])} FROM given g WHERE f.id = g.id)
     UPDATE schedules s SET ${set(['state', ...SCHEDULE_NAMES])}, bucket = g.own_bucket, revision = s.revision + 1
     FROM given g WHERE s.feed_id = g.id`,
    values,
  )
  for (const { feed, schedule } of after) {
    const old = before.get(feed.id)!
    countFeed(tx.tally, -1, feedCounted(old.feed, old.schedule))
    countFeed(tx.tally, 1, feedCounted(feed, schedule))
  }
  return new Set(after.map(({ feed }) => feed.id))
}

async function leaveTakenAddresses(
  query: RowAsker,
  after: { feed: Feed }[],
  before: (id: FeedId) => Feed,
): Promise<void> {
  const moved = after.filter(({ feed }) => feed.url !== before(feed.id).url)
  const taken = await idsAt(
    query,
    moved.map(({ feed }) => String(keyHash(feed.url))),
  )
  for (const { feed } of moved) {
    const hash = String(keyHash(feed.url))
    if (taken.has(hash)) {
      const { url, root } = before(feed.id)
      Object.assign(feed, { url, root })
    } else taken.set(hash, feed.id)
  }
}
