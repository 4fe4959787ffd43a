/**
 * The village on loopback with request tracking: which requests are in flight at each site, when the last one ended, and what each was
 * answered. Answers take some time so that overlapping requests show. Violations of politeness rules are recorded as faults.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/clocks/index.ts'
import { createVillage, type SiteSpec, type Village } from '../../src/lab/index.ts'

export interface Visit {
  site: string
  path: string
  from: number
  to: number
  status: number
}

export interface TrackedVillage {
  village: Village
  port: number
  visits: Visit[]
  /** The clock that dates visits. */
  now(): number
  /** Requests in flight. */
  inside(): number
  faults: string[]
  /** How long a response takes. */
  pace: { answerMs: number }
  /** From now on this site responds with Retry-After; an earlier visit is a violation. */
  rejectVisits(site: string, seconds: number): void
  isClosed(site: string): boolean
  feedUrls(): string[]
  close(): Promise<void>
}

/** Clocks of processes differ slightly, and timers round. */
const TOLERANCE_MS = 60

export async function openTrackedVillage(sites: SiteSpec[], gapMs: number): Promise<TrackedVillage> {
  const clock = systemClock()
  const village = createVillage({ clock, sites })
  const inside = new Map<string, number>()
  const leftAt = new Map<string, number>()
  const closed = new Map<string, { seconds: number; notBefore: number }>()
  const visits: Visit[] = []
  const faults: string[] = []
  const pace = { answerMs: 150 }
  const started = performance.now()
  const now = () => performance.now() - started

  const server = createServer((request, response) => {
    request.resume()
    const site = (request.headers.host ?? '').split('.')[0] ?? ''
    const at = now()
    const visit: Visit = { site, path: request.url ?? '/', from: at, to: Number.POSITIVE_INFINITY, status: 0 }
    visits.push(visit)
    if ((inside.get(site) ?? 0) > 0) faults.push(`two at once at ${site}, after ${Math.round(at)} ms`)
    const early = (leftAt.get(site) ?? Number.NEGATIVE_INFINITY) + gapMs - at
    if (early > TOLERANCE_MS) faults.push(`${Math.round(early)} ms too soon at ${site}, after ${Math.round(at)} ms`)
    const closure = closed.get(site)
    if (closure && at < closure.notBefore - TOLERANCE_MS)
      faults.push(`${site} had asked to be left alone for ${Math.round(closure.notBefore - at)} ms more`)
    inside.set(site, (inside.get(site) ?? 0) + 1)
    response.once('close', () => {
      inside.set(site, (inside.get(site) ?? 1) - 1)
      visit.to = now()
      leftAt.set(site, visit.to)
    })
    setTimeout(() => {
      if (response.destroyed) return
      if (closure) {
        closure.notBefore = now() + closure.seconds * 1000
        visit.status = 429
        response.writeHead(429, { 'retry-after': String(closure.seconds) }).end()
        return
      }
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const forwarded = {
        method: request.method ?? 'GET',
        url: `http://${request.headers.host}${request.url}`,
        headers,
      }
      const reply = village.answer(forwarded, clock.now())
      visit.status = reply?.status ?? 421
      response.writeHead(visit.status, reply?.headers ?? {})
      response.end(reply && reply.status !== 304 ? reply.body : '')
    }, pace.answerMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    village,
    port,
    visits,
    now,
    inside: () => [...inside.values()].reduce((sum, one) => sum + one, 0),
    faults,
    pace,
    rejectVisits: (site, seconds) => void closed.set(site, { seconds, notBefore: Number.NEGATIVE_INFINITY }),
    isClosed: (site) => closed.has(site),
    feedUrls: () =>
      sites.flatMap(({ name, feeds = [] }) => feeds.map(({ path }) => `http://${name}.localhost:${port}${path}`)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
