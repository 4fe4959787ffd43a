/**
 * What is known of sites: the politeness state of hosts, of which only those with something worth storing have a row; robots rules, one row
 * per requested origin until it expires; and failed probes for feeds. A domain may answer for any number of names, so the robots rules of
 * each root are limited in size.
 */
import { bucketOf, type Host, type Instant, type RobotsRecord } from '../../model/index.ts'
import { MAX_FAILED_PROBES, type SiteRecords, type Store } from '../../ports/index.ts'
import type { RetentionMethods } from '../methods.ts'
import { parseJsonColumn, requiredAddress } from './columns.ts'
import { type Dialect, type TypedColumn, upsertRowsSql } from './dialect.ts'
import { type HostRow, hostColumns, hostOfRow } from './host-rows.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { atMost, lastOfEach } from './values.ts'

interface ProbeRow {
  host: string
  url: string
  at: Instant
}

type SiteMethods = Pick<Store, 'hosts' | 'restingHosts' | 'robots' | 'failedProbes' | 'recordSites'> &
  Pick<RetentionMethods, 'forgetRobots' | 'trimRobots'>

const ROBOTS: TypedColumn[] = ['origin text', 'root text', 'fetched_at bigint', 'bytes bigint', 'record text']
const KEEP_ROBOTS = upsertRowsSql('robots', 'origin', ROBOTS)

/** Always keeps the newest row of a root. */
const SHRINK_ROOT = `DELETE FROM robots WHERE origin IN (SELECT origin FROM (
    SELECT origin, sum(bytes) OVER newest_first AS taken, row_number() OVER newest_first AS nth
    FROM robots WHERE root = $1 WINDOW newest_first AS (ORDER BY fetched_at DESC, origin)
  ) AS sites WHERE taken > $2 AND nth > 1)`

export function siteMethods({ dialect, ...session }: SqlSession): SiteMethods {
  const recordHosts = createHostWriter(dialect)
  const recordFailedProbes = createProbeWriter(dialect)
  const selectProbes = `SELECT m.host, m.url, m.at FROM given g CROSS JOIN LATERAL (SELECT * FROM failed_probes
    WHERE host = g.host AND at >= g.since ORDER BY at DESC, url ${dialect.bytewise} LIMIT ${MAX_FAILED_PROBES}) AS m
    ORDER BY g.n, m.at DESC, m.url ${dialect.bytewise}`

  return {
    async hosts(roots) {
      const rows = await (roots === undefined
        ? session.rows<HostRow>(`SELECT * FROM hosts ORDER BY root ${dialect.bytewise}`)
        : session.each<HostRow>(
            'SELECT h.* FROM given g, hosts h WHERE h.root = g.root',
            ['root text'],
            [...new Set(roots)].map((root) => [root]),
          ))
      return rows.map(hostOfRow)
    },

    restingHosts(now: Instant, limit: number) {
      return session.read(function* (query) {
        const rows = yield* query.rows<HostRow>(
          'SELECT * FROM hosts WHERE not_before_at > $1 ORDER BY not_before_at, root LIMIT $2',
          [now, atMost(limit)],
        )
        const total = yield* query.row<{ count: number }>(
          'SELECT count(*) AS count FROM hosts WHERE not_before_at > $1',
          [now],
        )
        return { hosts: rows.map(hostOfRow), all: total!.count }
      })
    },

    async robots(origins) {
      const rows = await session.rowOfEach<{ record: string }>(
        'SELECT r.record FROM given g, robots r WHERE r.origin = g.origin',
        ['origin text'],
        origins.map((origin) => [origin]),
      )
      return rows.map((row) => parseJsonColumn<RobotsRecord>(row?.record))
    },

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
      const rows = await session.each<ProbeRow>(
        selectProbes,
        ['host text', 'since bigint'],
        hosts.map((host) => [host, since]),
      )
      return rows.map(({ url, ...rest }) => ({ ...rest, url: requiredAddress(url) }))
    },

    recordSites({ hosts = [], robots, failedProbes }) {
      return session.write(function* (tx) {
        if (robots) yield* recordRobots(tx, robots)
        if (failedProbes) yield* recordFailedProbes(tx, failedProbes)
        yield* recordHosts(tx, hosts)
      })
    },
  }
}

function createHostWriter(dialect: Dialect): (tx: SqlTransaction, hosts: Host[]) => SqlWork<void> {
  const columns: TypedColumn[] = [
    'root text',
    'not_before_at bigint',
    'strikes integer',
    'trouble text',
    'budget text',
    'crawl_delay text',
    'incident text',
    ...dialect.bucketColumn,
  ]
  const replace = upsertRowsSql('hosts', 'root', columns)

  return function* recordHosts(tx, hosts) {
    const written: unknown[][] = []
    const dropped: unknown[][] = []
    for (const host of lastOfEach(hosts, ({ root }) => root)) {
      const row = hostColumns(host)
      if (row) written.push([...row, bucketOf(host.root)])
      else dropped.push([host.root])
    }
    yield* tx.runEach('DELETE FROM hosts USING given g WHERE hosts.root = g.root', ['root text'], dropped)
    yield* tx.runEach(replace, columns, written)
  }
}

type FailedProbes = NonNullable<SiteRecords['failedProbes']>

function createProbeWriter(dialect: Dialect): (tx: SqlTransaction, probes: FailedProbes) => SqlWork<void> {
  const key = dialect.textKey('url')
  const columns: TypedColumn[] = ['url text', 'host text', 'at bigint', ...key.extraColumns]
  const upsert = upsertRowsSql('failed_probes', key.column, columns)

  return function* recordFailedProbes(tx, { found, keepSince }) {
    yield* tx.run('DELETE FROM failed_probes WHERE at < $1', [keepSince])
    const rows = lastOfEach(found, ({ url }) => url).map(({ url, host, at }) => [url, host, at, key.keyOf(url)])
    yield* tx.runEach(upsert, columns, rows)
  }
}

function* recordRobots(
  tx: SqlTransaction,
  { sites, maxBytesPerRoot }: NonNullable<SiteRecords['robots']>,
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
