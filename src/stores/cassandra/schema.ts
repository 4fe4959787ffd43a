/**
 * Schema and statements. Each table serves one query, and its partitions are bounded whatever a feed does:
 *
 * - texts:             one partition per text, in parts of at most 64 KB
 * - texts_by_hour:     addresses by the hour in which they were written, for garbage collection
 * - cards:             entry records, in blocks of 512 ids
 * - cards_by_feed:     the entries of a feed, by month of publishing and month of arrival; a feed brings at most 20,000 a day
 * - cards_by_hour:     entries of all feeds by hour of publishing and day of arrival, in four parts
 * - slots:             which partitions of those two tables exist, by feed, and by year for the hours
 * - signatures:        in blocks of 512 ids
 * - bands:             signatures of a day that share 16 of their 64 bits: two that differ in at most three bits share one of the four bands
 * - copies_by_primary: the members of a group; the table primaries says which primary an entry has now, in blocks of 512 ids
 * - polls_by_feed:     the poll log of a feed by month
 *
 * Rows expire by TTL: time window compaction stores the rows of a week together and drops them together.
 */
import type { ClusterAddress } from './address.ts'

export const SHARDS = 16
/** Partitions per hour in cards_by_hour. */
export const HOUR_PARTS = 4
/** Ids per block. */
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

/** A statement that writes or deletes one row. Rows with equal partition keys lie in one partition. */
export interface RowChange {
  query: string
  /** Start and end of the partition key in the values. */
  key: readonly [number, number]
}

export const INSERT_TEXT_PART = insert('texts', ['name'], ['part', 'parts', 'bytes'])
export const INSERT_TEXT_HOUR = insert('texts_by_hour', ['hour', 'shard'], ['name', 'owner', 'at'])
export const SELECT_TEXT_PARTS = 'SELECT part, parts, bytes FROM texts WHERE name = ?'
export const SELECT_TEXTS_OF_HOUR = 'SELECT name AS address, owner, at FROM texts_by_hour WHERE hour = ? AND shard = ?'
export const DELETE_TEXT = drop('texts', ['name'], [])
export const DELETE_TEXT_HOUR = drop('texts_by_hour', ['hour', 'shard'], ['name'])

export const INSERT_ENTRY = insert('cards', ['block'], ['id', 'card'])
export const SELECT_ENTRIES = 'SELECT id, card FROM cards WHERE block = ? AND id IN ?'
export const DELETE_ENTRY = drop('cards', ['block'], ['id'])
export const INSERT_ENTRY_BY_FEED = insert('cards_by_feed', ['feed_id', 'month', 'arrived'], ['at', 'id'])
export const SELECT_ENTRIES_OF_FEED =
  'SELECT at, id FROM cards_by_feed WHERE feed_id = ? AND month = ? AND arrived = ? AND (at, id) < (?, ?) LIMIT ?'
export const DELETE_ENTRY_BY_FEED = drop('cards_by_feed', ['feed_id', 'month', 'arrived'], ['at', 'id'])
export const INSERT_ENTRY_BY_HOUR = insert('cards_by_hour', ['hour', 'arrived', 'part'], ['at', 'id'])
export const SELECT_ENTRIES_OF_HOUR =
  'SELECT at, id FROM cards_by_hour WHERE hour = ? AND arrived = ? AND part = ? AND (at, id) < (?, ?) LIMIT ?'
export const DELETE_ENTRY_BY_HOUR = drop('cards_by_hour', ['hour', 'arrived', 'part'], ['at', 'id'])
export const INSERT_SLOT = insert('slots', ['shelf'], ['slot', 'arrived'])
export const SELECT_SLOTS = 'SELECT slot, arrived FROM slots WHERE shelf = ? AND slot <= ? AND slot >= ?'

export const INSERT_SIGNATURE = insert('signatures', ['block'], ['id', 'at', 'simhash', 'day', 'signature'])
export const SELECT_SIGNATURES = 'SELECT id, at, simhash, day, signature FROM signatures WHERE block = ? AND id IN ?'
export const DELETE_SIGNATURE = drop('signatures', ['block'], ['id'])
export const INSERT_BAND = insert('bands', ['band', 'value', 'day'], ['id', 'at', 'simhash'])
export const SELECT_BAND = 'SELECT id, at, simhash FROM bands WHERE band = ? AND value = ? AND day = ?'
export const DELETE_BAND = drop('bands', ['band', 'value', 'day'], ['id'])

export const INSERT_PRIMARY = insert('primaries', ['block'], ['id', 'primary_id'])
export const SELECT_PRIMARIES = 'SELECT id, primary_id FROM primaries WHERE block = ? AND id IN ?'
export const INSERT_COPY = insert('copies_by_primary', ['primary_id'], ['id', 'at', 'distance'])
export const SELECT_COPIES = 'SELECT id, at, distance FROM copies_by_primary WHERE primary_id = ?'

export const INSERT_POLL = insert('polls_by_feed', ['feed_id', 'month'], ['at', 'poll'])
export const SELECT_POLLS =
  'SELECT poll FROM polls_by_feed WHERE feed_id = ? AND month = ? AND at <= ? AND at >= ? LIMIT ?'

/** The values are followed by a timestamp (in microseconds) and a TTL (in seconds). */
function insert(table: string, key: string[], rest: string[]): RowChange {
  const names = [...key, ...rest]
  const values = names.map(() => '?').join(', ')
  return {
    query: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values}) USING TIMESTAMP ? AND TTL ?`,
    key: [0, key.length],
  }
}

/** The values are preceded by a timestamp (in microseconds): writes up to that time are deleted. */
function drop(table: string, key: string[], rest: string[]): RowChange {
  const where = [...key, ...rest].map((name) => `${name} = ?`).join(' AND ')
  return { query: `DELETE FROM ${table} USING TIMESTAMP ? WHERE ${where}`, key: [1, 1 + key.length] }
}
