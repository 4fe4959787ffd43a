/**
 * Health checks for supervisors and load balancers. `/livez`: the process answers; if not, only a restart helps. `/healthz`: the store can be
 * read and written, with details. `/readyz`: the same as a status code, for load balancers.
 */
import { Hono } from 'hono'
import type { BucketStatus } from '../../crawl/index.ts'
import { type Instant, SECOND, type ThreadStatus } from '../../model/index.ts'
import type { Refusal } from '../../ports/index.ts'
import type { ServerParts } from '../server-parts.ts'

const STORE_TIMEOUT_MS = 2 * SECOND
/** A takeover takes less time: a controller that has not taken over its buckets by then is stuck. */
const TAKEOVER_MS = 20 * SECOND

export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz', '/healthz']

export function healthRoutes({ catalogue, clock, crawler, contentStore, threads, version }: ServerParts): Hono {
  const app = new Hono()

  function storeAnswers(): Promise<boolean> {
    const promise = catalogue.counts().then(
      () => true,
      () => false,
    )
    return withTimeout(promise, false)
  }

  async function contentStoreStatus(store: NonNullable<typeof contentStore>): Promise<string> {
    return (await withTimeout(store.health(), { summary: 'does not answer', isHealthy: false })).summary
  }

  async function withTimeout<T>(promise: Promise<T>, fallback: T): Promise<T> {
    const timer = new AbortController()
    const timeout = clock.sleepUntil(clock.now() + STORE_TIMEOUT_MS, timer.signal).then(() => fallback)
    return Promise.race([promise, timeout]).finally(() => timer.abort())
  }

  function stalledTakeover(buckets: BucketStatus | undefined, now: Instant): Refusal | undefined {
    if (buckets?.sinceAt === undefined || now - buckets.sinceAt < TAKEOVER_MS) return undefined
    return {
      sinceAt: buckets.sinceAt,
      message: `a controller owns ${buckets.notTakenUp} buckets and cannot take them over: their feeds are not polled`,
      hint: 'check its log, and whether it can reach the store and NATS; it retries every second',
    }
  }

  app.get('/livez', (c) => c.text('ok\n'))

  app.get('/readyz', async (c) => {
    const isReady = !crawler.activity().refusal && (await storeAnswers())
    return isReady ? c.text('ready\n') : c.text('not ready; see /healthz for the reason\n', 503)
  })

  app.get('/healthz', async (c) => {
    const { startedAt, inFlight, refusal: ofStore, queueRefusal, buckets } = crawler.activity()
    const refusal = ofStore ?? queueRefusal ?? stalledTakeover(buckets, clock.now())
    const beside = contentStore && { contentStore: await contentStoreStatus(contentStore) }
    const facts = {
      version,
      startedAt: new Date(startedAt).toISOString(),
      inFlight: inFlight.length,
      ...beside,
      ...(threads && { threads: threads().map(threadShape) }),
    }
    if (refusal) {
      const sinceAt = new Date(refusal.sinceAt).toISOString()
      return c.json({ ok: false, ...facts, error: refusal.message, hint: refusal.hint, since: sinceAt }, 503)
    }
    if (await storeAnswers()) return c.json({ ok: true, ...facts })
    const problem = { error: 'the store does not answer', hint: 'check whether its disk is full or its server is down' }
    return c.json({ ok: false, ...facts, ...problem }, 503)
  })
  return app
}

function threadShape({ name, isRunning, queued, busyShare, longestCallMs, crashes }: ThreadStatus) {
  const rounded = { busyShare: Number(busyShare.toFixed(2)), longestCallMs: Math.round(longestCallMs) }
  return { name, running: isRunning, queued, ...rounded, crashes }
}
