/**
 * The tables, each made for one question. A text is asked for by its name; a walk asks for an hour.
 *
 * - texts:         a partition a text, in pieces of 64 KB at most: whatever a feed does, no partition grows beyond its text
 * - texts_by_hour: by the hour in which they were kept, and a part of the digest
 *
 * What expires does so by itself: rows of one week lie together and go together (time windows).
 */
import type { ClusterAddress } from './address.ts'

export const SHARDS = 16

export function keyspaceStatement({ keyspace, dataCentre, copies }: ClusterAddress): string {
  const where = `'${dataCentre.replaceAll("'", "''")}': ${copies}`
  return `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', ${where}}`
}

const WINDOWS = `compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'compaction_window_size': 7}`

export const TABLES = [
  `CREATE TABLE IF NOT EXISTS texts (name text, part int, parts int, bytes blob,
    PRIMARY KEY ((name), part)) WITH ${WINDOWS}`,
  `CREATE TABLE IF NOT EXISTS texts_by_hour (hour bigint, shard smallint, name text, owner text, at bigint,
    PRIMARY KEY ((hour, shard), name)) WITH ${WINDOWS}`,
]

export const KEEP_PART = 'INSERT INTO texts (name, part, parts, bytes) VALUES (?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?'
export const KEEP_HOUR =
  'INSERT INTO texts_by_hour (hour, shard, name, owner, at) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?'
export const PARTS_OF = 'SELECT part, parts, bytes FROM texts WHERE name = ?'
export const OF_HOUR = 'SELECT name, owner, at FROM texts_by_hour WHERE hour = ? AND shard = ?'
export const DROP_TEXT = 'DELETE FROM texts USING TIMESTAMP ? WHERE name = ?'
export const DROP_HOUR = 'DELETE FROM texts_by_hour USING TIMESTAMP ? WHERE hour = ? AND shard = ? AND name = ?'
