/**
 * The tables, each made for one question, and each with partitions that are bounded whatever a feed does:
 *
 * - texts:             a partition a text, in pieces of 64 KB at most
 * - texts_by_hour:     by the hour in which they were kept, for the walk that mends
 * - cards:             512 entries by their numbers
 * - cards_by_feed:     a feed's entries of a month that arrived in a month; a feed brings 20,000 a day at most
 * - cards_by_hour:     what was published in an hour and arrived on a day, of all feeds, in four parts
 * - slots:             which of those two there are, so that nobody looks for what is not: of a feed, and of the hours of a year
 * - signatures:        512 by numbers
 * - bands:             fingerprints of a day that share 16 of their 64 bits: what differs in three bits or fewer shares one of the four
 * - copies_by_primary: a group; which primary an entry has now, primaries knows, by numbers
 * - polls_by_feed:     a feed's log of a month
 *
 * What expires does so by itself: rows of one week lie together and go together (time windows).
 */
import type { ClusterAddress } from './address.ts'

export const SHARDS = 16
/** Of an hour across feeds. */
export const HOUR_PARTS = 4
/** Numbers of a block. */
export const BLOCK = 512

export function keyspaceStatement({ keyspace, dataCentre, copies }: ClusterAddress): string {
  const where = `'${dataCentre.replaceAll("'", "''")}': ${copies}`
  return `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', ${where}}`
}

const WINDOWS = `compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 7}`
const NEWEST_FIRST = `${WINDOWS} AND CLUSTERING ORDER BY (at DESC, id DESC)`

export const TABLES = [
  `CREATE TABLE IF NOT EXISTS texts (name text, part int, parts int, bytes blob,
    PRIMARY KEY ((name), part)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS texts_by_hour (hour bigint, shard smallint, name text, owner text, at bigint,
    PRIMARY KEY ((hour, shard), name)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS cards (block bigint, id bigint, card text,
    PRIMARY KEY ((block), id)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS cards_by_feed (feed_id bigint, month int, arrived int, at bigint, id bigint,
    PRIMARY KEY ((feed_id, month, arrived), at, id)) WITH ${NEWEST_FIRST}`,
  `CREATE TABLE IF NOT EXISTS cards_by_hour (hour int, arrived int, part smallint, at bigint, id bigint,
    PRIMARY KEY ((hour, arrived, part), at, id)) WITH ${NEWEST_FIRST}`,
  `CREATE TABLE IF NOT EXISTS slots (shelf text, slot int, arrived int,
    PRIMARY KEY ((shelf), slot, arrived)) WITH ${WINDOWS} AND CLUSTERING ORDER BY (slot DESC, arrived DESC)`,
  `CREATE TABLE IF NOT EXISTS signatures (block bigint, id bigint, at bigint, simhash bigint, day int, signature blob,
    PRIMARY KEY ((block), id)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS bands (band smallint, value int, day int, id bigint, at bigint, simhash bigint,
    PRIMARY KEY ((band, value, day), id)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS primaries (block bigint, id bigint, primary_id bigint,
    PRIMARY KEY ((block), id)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS copies_by_primary (primary_id bigint, id bigint, at bigint, distance int,
    PRIMARY KEY ((primary_id), id)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS polls_by_feed (feed_id bigint, month int, at bigint, poll text,
    PRIMARY KEY ((feed_id, month), at)) WITH ${WINDOWS} AND CLUSTERING ORDER BY (at DESC)`,
]

/** A change of rows. All rows of it whose first values, those of the key, are the same, lie in one partition. */
export interface RowChange {
  query: string
  /** Where the partition's key begins and ends in the values. */
  key: readonly [number, number]
}

export const KEEP_PART = insert('texts', ['name'], ['part', 'parts', 'bytes'])
export const KEEP_HOUR = insert('texts_by_hour', ['hour', 'shard'], ['name', 'owner', 'at'])
export const PARTS_OF = 'SELECT part, parts, bytes FROM texts WHERE name = ?'
export const OF_HOUR = 'SELECT name, owner, at FROM texts_by_hour WHERE hour = ? AND shard = ?'
export const DROP_TEXT = drop('texts', ['name'], [])
export const DROP_HOUR = drop('texts_by_hour', ['hour', 'shard'], ['name'])

export const FILE_CARD = insert('cards', ['block'], ['id', 'card'])
export const CARDS_OF = 'SELECT id, card FROM cards WHERE block = ? AND id IN ?'
export const DROP_CARD = drop('cards', ['block'], ['id'])
export const FILE_BY_FEED = insert('cards_by_feed', ['feed_id', 'month', 'arrived'], ['at', 'id'])
export const OF_FEED =
  'SELECT at, id FROM cards_by_feed WHERE feed_id = ? AND month = ? AND arrived = ? AND (at, id) < (?, ?) LIMIT ?'
export const DROP_BY_FEED = drop('cards_by_feed', ['feed_id', 'month', 'arrived'], ['at', 'id'])
export const FILE_BY_HOUR = insert('cards_by_hour', ['hour', 'arrived', 'part'], ['at', 'id'])
export const OF_PUBLISHING_HOUR =
  'SELECT at, id FROM cards_by_hour WHERE hour = ? AND arrived = ? AND part = ? AND (at, id) < (?, ?) LIMIT ?'
export const DROP_BY_HOUR = drop('cards_by_hour', ['hour', 'arrived', 'part'], ['at', 'id'])
export const FILE_SLOT = insert('slots', ['shelf'], ['slot', 'arrived'])
export const SLOTS_OF = 'SELECT slot, arrived FROM slots WHERE shelf = ? AND slot <= ? AND slot >= ?'

export const SIGN = insert('signatures', ['block'], ['id', 'at', 'simhash', 'day', 'signature'])
export const SIGNATURES_OF = 'SELECT id, at, simhash, day, signature FROM signatures WHERE block = ? AND id IN ?'
export const DROP_SIGNATURE = drop('signatures', ['block'], ['id'])
export const FILE_BAND = insert('bands', ['band', 'value', 'day'], ['id', 'at', 'simhash'])
export const OF_BAND = 'SELECT id, at, simhash FROM bands WHERE band = ? AND value = ? AND day = ?'
export const DROP_BAND = drop('bands', ['band', 'value', 'day'], ['id'])

export const FILE_PRIMARY = insert('primaries', ['block'], ['id', 'primary_id'])
export const PRIMARIES_OF = 'SELECT id, primary_id FROM primaries WHERE block = ? AND id IN ?'
export const FILE_COPY = insert('copies_by_primary', ['primary_id'], ['id', 'at', 'distance'])
export const COPIES_OF = 'SELECT id, at, distance FROM copies_by_primary WHERE primary_id = ?'

export const FILE_POLL = insert('polls_by_feed', ['feed_id', 'month'], ['at', 'poll'])
export const POLLS_OF = 'SELECT poll FROM polls_by_feed WHERE feed_id = ? AND month = ? AND at <= ? AND at >= ? LIMIT ?'

/** After the values: the time at which they were said, and for how many seconds they stay. */
function insert(table: string, key: string[], rest: string[]): RowChange {
  const names = [...key, ...rest]
  const values = names.map(() => '?').join(', ')
  return {
    query: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values}) USING TIMESTAMP ? AND TTL ?`,
    key: [0, key.length],
  }
}

/** Before the values: up to which time they were said. */
function drop(table: string, key: string[], rest: string[]): RowChange {
  const where = [...key, ...rest].map((name) => `${name} = ?`).join(' AND ')
  return { query: `DELETE FROM ${table} USING TIMESTAMP ? WHERE ${where}`, key: [1, 1 + key.length] }
}
