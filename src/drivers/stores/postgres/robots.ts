/**
 * What sites ask of crawlers: one row for each origin that was ever asked, until it is old. Of a domain whose every name
 * answers there could be any number, so each root has so much room and no more. And where sites have no feed.
 */
import type { Instant, RobotsRecord } from '../../../model/index.ts'
import { MOST_MISSES, type Store } from '../../../ports/index.ts'
import { jsonInColumn, ownAddress } from '../sql/columns.ts'
import { keyHash } from '../sql/rows.ts'
import { atMost, inOrder } from '../sql/values.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession } from './session.ts'

interface MissRow {
  host: string
  url: string
  at: Instant
}

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'shrinkRobots' | 'misses' | 'recordMisses'

/** Of what is left of those, all that stand further from the newest than there is room: the newest itself always stays. */
const BEYOND_ROOM = `SELECT origin FROM (
    SELECT origin, sum(bytes) OVER newest_first AS taken, row_number() OVER newest_first AS nth
    FROM robots WHERE root = ANY ($1::text[])
    WINDOW newest_first AS (PARTITION BY root ORDER BY fetched_at DESC, origin)
  ) AS sites WHERE taken > $2 AND nth > 1`

export function robotsMethods(session: PostgresSession): Pick<Store, RobotsMethods> {
  return {
    async robots(origins) {
      const rows = await session.rows<{ origin: string; record: string }>(
        'SELECT origin, record FROM robots WHERE origin = ANY ($1::text[])',
        [origins],
      )
      return inOrder<string, (typeof rows)[number], RobotsRecord | undefined>(
        origins,
        rows,
        (row) => row.origin,
        ({ record }) => jsonInColumn<RobotsRecord>(record),
      )
    },

    recordRobots(sites, mostBytesOfRoot) {
      const given = [...new Map(sites.map((site) => [site.origin, site])).values()].map(({ origin, root, record }) => {
        const written = JSON.stringify(record)
        return [origin, root, record.fetchedAt, origin.length + written.length, written]
      })
      const { sql, values } = manyRows(
        'g',
        ['origin text', 'root text', 'fetched_at bigint', 'bytes bigint', 'record text'],
        given,
      )
      return session.write(async (tx) => {
        if (given.length === 0) return
        await tx.run(
          `INSERT INTO robots (origin, root, fetched_at, bytes, record)
           SELECT origin, root, fetched_at, bytes, record FROM ${sql} ORDER BY origin
           ON CONFLICT (origin) DO UPDATE SET root = excluded.root, fetched_at = excluded.fetched_at,
           bytes = excluded.bytes, record = excluded.record`,
          values,
        )
        await tx.run(`DELETE FROM robots WHERE origin IN (${BEYOND_ROOM})`, [
          [...new Set(sites.map(({ root }) => root))],
          mostBytesOfRoot,
        ])
      })
    },

    forgetRobots(before, limit) {
      return session.write((tx) =>
        tx.run(
          `DELETE FROM robots WHERE origin IN
           (SELECT origin FROM robots WHERE fetched_at < $1 ORDER BY fetched_at LIMIT $2)`,
          [before, atMost(limit)],
        ),
      )
    },

    shrinkRobots(bytes, limit) {
      return session.write((tx) =>
        tx.run(
          `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
             SELECT origin, sum(bytes) OVER (ORDER BY fetched_at, origin) - bytes AS gone_before,
               (SELECT sum(bytes) FROM robots) AS taken
             FROM (SELECT origin, fetched_at, bytes FROM robots ORDER BY fetched_at, origin LIMIT $2) AS oldest
           ) AS sites WHERE taken - gone_before > $1)`,
          [bytes, atMost(limit)],
        ),
      )
    },

    async misses(hosts, since) {
      const rows = await session.rows<MissRow>(
        `SELECT m.host, m.url, m.at FROM unnest($1::text[]) WITH ORDINALITY AS t (host, n) CROSS JOIN LATERAL
           (SELECT * FROM misses WHERE host = t.host AND at >= $2 ORDER BY at DESC, url COLLATE "C" LIMIT ${MOST_MISSES}) AS m
         ORDER BY t.n, m.at DESC, m.url COLLATE "C"`,
        [hosts, since],
      )
      return rows.map(({ url, ...rest }) => ({ ...rest, url: ownAddress(url) }))
    },

    recordMisses(misses, before) {
      const last = [...new Map(misses.map((miss) => [miss.url, miss])).values()]
      const { sql, values } = manyRows(
        'g',
        ['url_hash bigint', 'url text', 'host text', 'at bigint'],
        last.map(({ url, host, at }) => [keyHash(url), url, host, at]),
      )
      return session.write(async (tx) => {
        await tx.run('DELETE FROM misses WHERE at < $1', [before])
        await tx.run(
          `INSERT INTO misses (url_hash, url, host, at) SELECT url_hash, url, host, at FROM ${sql} ORDER BY url_hash
           ON CONFLICT (url_hash) DO UPDATE SET host = excluded.host, at = excluded.at`,
          values,
        )
      })
    },
  }
}
