/**
 * What sites ask of crawlers: one row for each origin that was ever asked, until it is old. A domain may have any number of
 * names that answer, so the rows of each root have a limited size. And where sites have no feed.
 */
import type { Instant, RobotsRecord } from '../../model/index.ts'
import { MOST_MISSES, type Store } from '../../ports/index.ts'
import { jsonInColumn, ownAddress } from './columns.ts'
import { replaceGiven, type TypedColumn } from './dialect.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

interface MissRow {
  host: string
  url: string
  at: Instant
}

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'shrinkRobots' | 'misses' | 'recordMisses'

const ROBOTS: TypedColumn[] = ['origin text', 'root text', 'fetched_at bigint', 'bytes bigint', 'record text']
const KEEP_ROBOTS = replaceGiven('robots', 'origin', ROBOTS)

/** The newest of a root always stays. */
const SHRINK_ROOT = `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
    SELECT origin, sum(bytes) OVER newest_first AS taken, row_number() OVER newest_first AS nth
    FROM robots WHERE root = $1 WINDOW newest_first AS (ORDER BY fetched_at DESC, origin)
  ) AS sites WHERE taken > $2 AND nth > 1)`

export function robotsMethods({ dialect, ...session }: SqlSession): Pick<Store, RobotsMethods> {
  const miss = dialect.textKey('url')
  const missColumns: TypedColumn[] = ['url text', 'host text', 'at bigint', ...miss.written]
  const keepMisses = replaceGiven('misses', miss.column, missColumns)
  const findMisses = `SELECT m.host, m.url, m.at FROM given g CROSS JOIN LATERAL (SELECT * FROM misses
    WHERE host = g.host AND at >= g.since ORDER BY at DESC, url ${dialect.bytewise} LIMIT ${MOST_MISSES}) AS m
    ORDER BY g.n, m.at DESC, m.url ${dialect.bytewise}`

  return {
    async robots(origins) {
      const rows = await session.rowOfEach<{ record: string }>(
        'SELECT r.record FROM given g, robots r WHERE r.origin = g.origin',
        ['origin text'],
        origins.map((origin) => [origin]),
      )
      return rows.map((row) => jsonInColumn<RobotsRecord>(row?.record))
    },

    recordRobots: (sites, mostBytesOfRoot) => session.write((tx) => recordRobots(tx, sites, mostBytesOfRoot)),

    forgetRobots(before, limit) {
      return session.run(
        'DELETE FROM robots WHERE origin IN (SELECT origin FROM robots WHERE fetched_at < $1 ORDER BY fetched_at LIMIT $2)',
        [before, atMost(limit)],
      )
    },

    shrinkRobots(bytes, limit) {
      return session.run(
        `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
           SELECT origin, sum(bytes) OVER (ORDER BY fetched_at, origin) - bytes AS gone_before,
             (SELECT sum(bytes) FROM robots) AS taken
           FROM (SELECT origin, fetched_at, bytes FROM robots ORDER BY fetched_at, origin LIMIT $2) AS oldest
         ) AS sites WHERE taken - gone_before > $1)`,
        [bytes, atMost(limit)],
      )
    },

    async misses(hosts, since) {
      const rows = await session.each<MissRow>(
        findMisses,
        ['host text', 'since bigint'],
        hosts.map((host) => [host, since]),
      )
      return rows.map(({ url, ...rest }) => ({ ...rest, url: ownAddress(url) }))
    },

    recordMisses(misses, before) {
      const last = lastOfEach(misses, ({ url }) => url)
      return session.write(function* (tx) {
        yield* tx.run('DELETE FROM misses WHERE at < $1', [before])
        yield* tx.runEach(
          keepMisses,
          missColumns,
          last.map(({ url, host, at }) => [url, host, at, miss.of(url)]),
        )
      })
    },
  }
}

function* recordRobots(
  tx: SqlTransaction,
  sites: Parameters<Store['recordRobots']>[0],
  mostBytesOfRoot: number,
): SqlWork<void> {
  const rows = lastOfEach(sites, ({ origin }) => origin).map(({ origin, root, record }) => {
    const written = JSON.stringify(record)
    return [origin, root, record.fetchedAt, origin.length + written.length, written]
  })
  yield* tx.runEach(KEEP_ROBOTS, ROBOTS, rows)
  const roots = [...new Set(sites.map(({ root }) => root))]
  const full = yield* tx.each<{ root: string }>(
    'SELECT g.root AS root FROM given g WHERE (SELECT sum(bytes) FROM robots WHERE root = g.root) > g.most',
    ['root text', 'most bigint'],
    roots.map((root) => [root, mostBytesOfRoot]),
  )
  for (const { root } of full) yield* tx.run(SHRINK_ROOT, [root, mostBytesOfRoot])
}
