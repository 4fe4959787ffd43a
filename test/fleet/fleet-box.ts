/**
 * A fleet on this machine: PostgreSQL, NATS, the village, and processes of the program. Everything is small and quick, so that what
 * takes minutes in life takes seconds here: leases of twelve seconds, and feeds that are polled every two.
 */
import { openPostgresStore } from '../../src/drivers/stores/postgres/index.ts'
import type { SiteSpec } from '../../src/lab/index.ts'
import { NATS_BINARY, type NatsServer, startNatsServer } from '../nats-server.ts'
import { type PostgresServer, postgresForTests } from '../postgres-server.ts'
import { type FleetProcess, type Role, startProcess } from './processes.ts'
import { openWatchedVillage, type WatchedVillage } from './watched-village.ts'

export const GAP_MS = 500
export const LEASE_MS = 12_000
const SITES = 24

export interface FleetBox {
  nats: NatsServer
  postgres: PostgresServer
  storeAddress: string
  town: WatchedVillage
  processes: Set<FleetProcess>
  start(role: Role, more?: StartOptions): Promise<FleetProcess>
  /** A server's address, once one runs. */
  apiUrl(): string
  subscribe(): Promise<void>
  /** What the store has of each site: the paths of entries' pages. */
  entries(): Promise<Map<string, string[]>>
  close(): Promise<void>
}

export interface StartOptions {
  settings?: Record<string, string>
  clockOffMs?: number
  /** Ports of relays in the place of the servers' own. */
  natsPort?: number
  postgresPort?: number
}

/** Why there is no fleet here; undefined if there can be one. */
export async function fleetParts(): Promise<{ postgres?: PostgresServer; reason?: string }> {
  if (!NATS_BINARY) return { reason: 'there is no nats-server on this machine' }
  const { server, reason } = await postgresForTests()
  return server ? { postgres: server } : { reason: reason ?? 'there is no PostgreSQL' }
}

/** A site that may ask to be left alone; nobody counts what is read there, for it is visited ever more seldom. */
export const MOODY_SITE = 'moody'

export function siteNames(): string[] {
  return Array.from({ length: SITES }, (_, n) => `paper${n}`)
}

export async function openFleetBox(postgres: PostgresServer): Promise<FleetBox> {
  const nats = await startNatsServer()
  const storeAddress = await postgres.freshStore()
  const sites = [...siteNames(), MOODY_SITE].map((name, n): SiteSpec => {
    const rhythm = { kind: 'clockwork', everyMs: 2500 + 100 * n } as const
    return { name, rhythm, dayMs: 60_000, feeds: [{ path: '/feed', window: 200, content: 'none' }] }
  })
  const town = await openWatchedVillage(sites, GAP_MS)
  const processes = new Set<FleetProcess>()
  let apiUrl = ''

  const settings = (natsPort: number, address: string): Record<string, string> => ({
    STORE: address,
    QUEUE: `nats://127.0.0.1:${natsPort}`,
    QUEUE_WAIT: '3s',
    LEASE: `${LEASE_MS / 1000}s`,
    TIMEOUT: '5s',
    ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    HOST_GAP: `${GAP_MS}ms`,
    STRATEGY: 'fixed:2s',
    MIN_INTERVAL: '1s',
    ARTICLES: 'never',
    CONCURRENCY: '16',
    PORT: '0',
    LOG: 'info',
  })

  async function start(role: Role, more: StartOptions = {}): Promise<FleetProcess> {
    const address = new URL(storeAddress)
    if (more.postgresPort) address.port = String(more.postgresPort)
    const given = { ...settings(more.natsPort ?? nats.port, address.href), ...more.settings }
    if (role === 'terminal') delete given.STORE // it must do without
    const one = startProcess(role, given, more)
    processes.add(one)
    if (role !== 'serve') await one.until(/: a (controller|terminal|keeper)/)
    else apiUrl = (await one.until(/are at (http:\S+)/))[1]!
    return one
  }

  return {
    nats,
    postgres,
    storeAddress,
    town,
    processes,
    start,
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
    async entries() {
      const { store } = await openPostgresStore({ address: storeAddress, mode: 'read', connections: 1 })
      const found = new Map<string, string[]>()
      const siteOf = new Map<number, string>()
      for await (const { feed } of store.everyFeed()) siteOf.set(feed.id, new URL(feed.url).hostname.split('.')[0]!)
      for await (const { feedId, url } of store.everyEntry({})) {
        const site = siteOf.get(feedId) ?? '?'
        const paths = found.get(site) ?? []
        paths.push(url ? new URL(url).pathname : '?')
        found.set(site, paths)
      }
      await store.close()
      return found
    },
    async close() {
      await Promise.all([...processes].map((one) => one.kill()))
      await town.close()
      await nats.close()
    },
  }
}
