/**
 * A fleet on this machine: PostgreSQL, NATS, the village, and processes of the program. Everything is scaled down so that minutes become
 * seconds: leases of 15 s, feeds polled every 2 s.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { SiteSpec } from '../../src/lab/index.ts'
import type { Store } from '../../src/ports/index.ts'
import { openPostgresStore } from '../../src/stores/postgres/index.ts'
import { NATS_BINARY, type NatsServer, startNatsServer } from '../nats-server.ts'
import { type PostgresServer, postgresForTests } from '../postgres-server.ts'
import { openSmallDisk, type SmallDisk } from '../small-disk.ts'
import { type FleetProcess, type Role, runProgram, startProcess } from './processes.ts'
import { openTrackedVillage, type TrackedVillage } from './tracked-village.ts'

export const GAP_MS = 500
/** Not shorter than it takes to replace a controller; otherwise tasks expire before their outcomes are recorded. */
export const LEASE_MS = 15_000
/** More sites than the fifty that can be in flight. */
const SITES = 64
const MOODY_SITES = 12

export interface FleetHarness {
  nats: NatsServer
  postgres: PostgresServer
  disks: FleetParts['disks']
  storeAddress: string
  /** The PostgreSQL role of the processes; the tests use another one. */
  login: string
  town: TrackedVillage
  processes: Set<FleetProcess>
  start(role: Role, more?: StartOptions): Promise<FleetProcess>
  /** Runs a command in a process of its own and returns its output. */
  type(...words: string[]): Promise<string>
  /** Queries the tables of the store. */
  ask<Row>(sql: string): Promise<Row[]>
  /** The address of a server, once one runs. */
  apiUrl(): string
  subscribe(): Promise<void>
  /** Number of buckets per controller, according to the store; '' counts buckets without an owner. */
  owners(): Promise<Map<string, number>>
  /** Stored entries of each site: the paths of their pages. */
  entries(): Promise<Map<string, string[]>>
  close(): Promise<void>
}

export interface StartOptions {
  settings?: Record<string, string>
  clockOffMs?: number
  /** Ports of relays that replace the servers' own. */
  natsPort?: number
  postgresPort?: number
}

/** Polls until the check passes; throws what is missing after the time limit. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  timeoutMs: number,
  missing: () => string,
): Promise<void> {
  const last = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > last) throw new Error(`${missing()} for ${timeoutMs / 1000} s`)
    await sleep(100)
  }
}

export interface FleetParts {
  postgres: PostgresServer
  /** The disk of the servers' data; absent if none can be mounted. */
  disks?: { postgres: SmallDisk; nats: SmallDisk }
  withoutDisks?: string
  /** Extra configuration of nats-server. */
  natsOptions?: readonly string[]
  /** Extra environment of every process. */
  settings?: Record<string, string>
  /** Changes to the generated feeds. */
  feeds?: Partial<typeof USUAL_FEEDS>
}

/** The first site publishes at this rate, each of the others a little less often; feeds show this number of entries. */
const USUAL_FEEDS = { everyMs: 5000, window: 60, content: 'none' as 'none' | 'full' }

/** Keeps little of the write-ahead log, so that a small disk is enough. */
const SMALL = { max_wal_size: '64MB', min_wal_size: '32MB' }
const DISK_MB = 512

/** What a fleet needs, or the reason why it cannot run here. */
export async function fleetParts(): Promise<{ parts?: FleetParts; reason?: string }> {
  if (!NATS_BINARY) return { reason: 'there is no nats-server on this machine' }
  const [first, second] = [openSmallDisk(DISK_MB), openSmallDisk(DISK_MB)]
  const disks = first.disk && second.disk && { postgres: first.disk, nats: second.disk }
  const { server, reason } = await postgresForTests(SMALL, disks ? { under: disks.postgres.folder } : {})
  if (server) return { parts: { postgres: server, ...(disks ? { disks } : { withoutDisks: first.reason ?? '' }) } }
  for (const one of Object.values(disks ?? {})) one.close()
  return { reason: reason ?? 'there is no PostgreSQL' }
}

/** Sites that may send Retry-After, once each. Their entries are not checked, because they are visited less often afterwards. */
export function flakySiteNames(): string[] {
  return Array.from({ length: MOODY_SITES }, (_, n) => `moody${n}`)
}

export function siteNames(): string[] {
  return Array.from({ length: SITES }, (_, n) => `paper${n}`)
}

/** Starts a new fleet, or one that continues with an existing store in the same village. */
export async function openFleetHarness(
  { postgres, disks, natsOptions = [], settings: more = {}, feeds = {} }: FleetParts,
  from?: Pick<FleetHarness, 'storeAddress' | 'town'>,
): Promise<FleetHarness> {
  const nats = await startNatsServer(natsOptions, disks?.nats.folder)
  const storeAddress = from?.storeAddress ?? (await postgres.freshStore())
  const login = 'crawler'
  const { everyMs, window, content } = { ...USUAL_FEEDS, ...feeds }
  const sites = [...siteNames(), ...flakySiteNames()].map((name, n): SiteSpec => {
    const rhythm = { kind: 'clockwork', everyMs: everyMs + 100 * n } as const
    return { name, rhythm, dayMs: 60_000, feeds: [{ path: '/feed', window, content }] }
  })
  const town = from?.town ?? (await openTrackedVillage(sites, GAP_MS))
  const processes = new Set<FleetProcess>()
  let apiUrl = ''
  let reader: Store | undefined

  /** Uses a connection of its own: the server may have been replaced. */
  async function ask<Row>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: storeAddress })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows as Row[]
    } finally {
      await client.end()
    }
  }

  const settings = (natsPort: number, address: string): Record<string, string> => ({
    STORE: address,
    QUEUE: `nats://127.0.0.1:${natsPort}`,
    QUEUE_WAIT: '5s',
    LEASE: `${LEASE_MS / 1000}s`,
    TIMEOUT: '8s',
    ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    HOST_GAP: `${GAP_MS}ms`,
    STRATEGY: 'fixed:2s',
    MIN_INTERVAL: '1s',
    ARTICLES: 'never',
    CONCURRENCY: '64',
    PORT: '0',
    LOG: 'info',
    ...more,
  })

  async function start(role: Role, more: StartOptions = {}): Promise<FleetProcess> {
    const address = new URL(storeAddress)
    address.username = login
    if (more.postgresPort) address.port = String(more.postgresPort)
    const given = { ...settings(more.natsPort ?? nats.port, address.href), ...more.settings }
    if (role === 'fetcher') delete given.STORE // fetchers run without a store
    const one = startProcess(role, given, more)
    processes.add(one)
    if (role !== 'serve') await one.until(/: an? (controller|fetcher|indexer)/)
    else apiUrl = (await one.until(/are at (http:\S+)/))[1]!
    return one
  }

  await ask(`DO $$ BEGIN CREATE ROLE ${login} LOGIN SUPERUSER; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
  return {
    nats,
    postgres,
    disks,
    storeAddress,
    login,
    town,
    processes,
    start,
    type: (...words) => runProgram(words, settings(nats.port, storeAddress)),
    ask,
    apiUrl: () => apiUrl,
    async subscribe() {
      const addresses = town.feedUrls().map((url) => ({ url, kind: 'feed' }))
      const answer = await fetch(new URL('/api/v1/feeds', apiUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-freshet': '1' },
        body: JSON.stringify({ addresses }),
      })
      if (!answer.ok) throw new Error(`feeds could not be added: ${answer.status} ${await answer.text()}`)
    },
    async owners() {
      const rows = await ask<{ owner: string; count: string }>(
        `SELECT coalesce(owner, '') AS owner, count(*) FROM buckets GROUP BY 1`,
      )
      return new Map(rows.map(({ owner, count }) => [owner, Number(count)]))
    },
    async entries() {
      reader ??= (await openPostgresStore({ address: storeAddress, mode: 'read', connections: 1 })).store
      const store = reader
      const found = new Map<string, string[]>()
      const siteOf = new Map<number, string>()
      for await (const { feed } of store.everyFeed()) siteOf.set(feed.id, new URL(feed.url).hostname.split('.')[0]!)
      for await (const { feedId, url } of store.everyEntry({})) {
        const site = siteOf.get(feedId) ?? '?'
        const paths = found.get(site) ?? []
        paths.push(url ? new URL(url).pathname : '?')
        found.set(site, paths)
      }
      return found
    },
    async close() {
      await reader?.close()
      await Promise.all([...processes].map((one) => one.kill()))
      await town.close()
      await nats.close()
      await postgres.close()
      for (const disk of Object.values(disks ?? {})) disk.close()
    },
  }
}
