/**
 * Robots rules, one row per requested origin until it expires, and failed probes for feeds. A domain may answer for any number of names,
 * so the rows of each root are limited in size.
 */
import type { Instant, RobotsRecord } from '../../model/index.ts'
import { MAX_FAILED_PROBES, type Store } from '../../ports/index.ts'
import { parseJsonColumn, requiredAddress } from './columns.ts'
import { type TypedColumn, upsertRowsSql } from './dialect.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

interface MissRow {
  host: string
  url: string
  at: Instant
}

type RobotsMethods = 'robots' | 'recordRobots' | 'forgetRobots' | 'trimRobots' | 'failedProbes' | 'recordFailedProbes'

const ROBOTS: TypedColumn[] = ['origin text', 'root text', 'fetched_at bigint', 'bytes bigint', 'record text']
const KEEP_ROBOTS = upsertRowsSql('robots', 'origin', ROBOTS)

/** Always keeps the newest row of a root. */
const SHRINK_ROOT = `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
    SELECT origin, sum(bytes) OVER newest_first AS taken, row_number() OVER newest_first AS nth
    FROM robots WHERE root = $1 WINDOW newest_first AS (ORDER BY fetched_at DESC, origin)
  ) AS sites WHERE taken > $2 AND nth > 1)`

export function robotsMethods({ dialect, ...session }: SqlSession): Pick<Store, RobotsMethods> {
  const probeKey = dialect.textKey('url')
  const probeColumns: TypedColumn[] = ['url text', 'host text', 'at bigint', ...probeKey.extraColumns]
  const upsertProbes = upsertRowsSql('failed_probes', probeKey.column, probeColumns)
  const selectProbes = `SELECT m.host, m.url, m.at FROM given g CROSS JOIN LATERAL (SELECT * FROM failed_probes
    WHERE host = g.host AND at >= g.since ORDER BY at DESC, url ${dialect.bytewise} LIMIT ${MAX_FAILED_PROBES}) AS m
    ORDER BY g.n, m.at DESC, m.url ${dialect.bytewise}`

  return {
    async robots(origins) {
      const rows = await session.rowOfEach<{ record: string }>(
        'SELECT r.record FROM given g, robots r WHERE r.origin = g.origin',
        ['origin text'],
        origins.map((origin) => [origin]),
      )
      return rows.map((row) => parseJsonColumn<RobotsRecord>(row?.record))
    },

    recordRobots: (sites, maxBytesPerRoot) => session.write((tx) => recordRobots(tx, sites, maxBytesPerRoot)),

    forgetRobots(before, limit) {
      return session.run(
        'DELETE FROM robots WHERE origin IN (SELECT origin FROM robots WHERE fetched_at < $1 ORDER BY fetched_at LIMIT $2)',
        [before, atMost(limit)],
      )
    },

    trimRobots(bytes, limit) {
      return session.run(
        `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
           SELECT origin, sum(bytes) OVER (ORDER BY fetched_at, origin) - bytes AS gone_before,
             (SELECT sum(bytes) FROM robots) AS taken
           FROM (SELECT origin, fetched_at, bytes FROM robots ORDER BY fetched_at, origin LIMIT $2) AS oldest
         ) AS sites WHERE taken - gone_before > $1)`,
        [bytes, atMost(limit)],
      )
    },

    async failedProbes(hosts, since) {
      const rows = await session.each<MissRow>(
        selectProbes,
        ['host text', 'since bigint'],
        hosts.map((host) => [host, since]),
      )
      return rows.map(({ url, ...rest }) => ({ ...rest, url: requiredAddress(url) }))
    },

    recordFailedProbes(probes, before) {
      const last = lastOfEach(probes, ({ url }) => url)
      return session.write(function* (tx) {
        yield* tx.run('DELETE FROM failed_probes WHERE at < $1', [before])
        yield* tx.runEach(
          upsertProbes,
          probeColumns,
          last.map(({ url, host, at }) => [url, host, at, probeKey.keyOf(url)]),
        )
      })
    },
  }
}

function* recordRobots(
  tx: SqlTransaction,
  sites: Parameters<Store['recordRobots']>[0],
  maxBytesPerRoot: number,
): SqlWork<void> {
  const rows = lastOfEach(sites, ({ origin }) => origin).map(({ origin, root, record }) => {
    const json = JSON.stringify(record)
    return [origin, root, record.fetchedAt, origin.length + json.length, json]
  })
  yield* tx.runEach(KEEP_ROBOTS, ROBOTS, rows)
  const roots = [...new Set(sites.map(({ root }) => root))]
  const oversized = yield* tx.each<{ root: string }>(
    'SELECT g.root AS root FROM given g WHERE (SELECT sum(bytes) FROM robots WHERE root = g.root) > g.most',
    ['root text', 'most bigint'],
    roots.map((root) => [root, maxBytesPerRoot]),
  )
  for (const { root } of oversized) yield* tx.run(SHRINK_ROOT, [root, maxBytesPerRoot])
}
