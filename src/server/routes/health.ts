/**
 * For supervisors and load balancers. `/livez`: the process answers; if not, only a restart helps. `/healthz`: does its store answer, and does
 * it take what it is given? `/readyz`: the same as a status code, for load balancers.
 */
import { Hono } from 'hono'
import type { BucketsHeld } from '../../crawl/index.ts'
import { type Instant, SECOND, type ThreadStatus } from '../../model/index.ts'
import type { Refusal } from '../../ports/index.ts'
import type { ServerParts } from '../server-parts.ts'

const PATIENCE_MS = 2 * SECOND
/** A takeover takes less: a controller that has not taken up its buckets by then cannot. */
const TAKEOVER_MS = 20 * SECOND

export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz', '/healthz']

export function healthRoutes({ catalogue, clock, crawler, library, threads, version }: ServerParts): Hono {
  const app = new Hono()

  function storeAnswers(): Promise<boolean> {
    const answered = catalogue.counts().then(
      () => true,
      () => false,
    )
    return inTime(answered, false)
  }

  async function libraryInWords(asked: NonNullable<typeof library>): Promise<string> {
    return (await inTime(asked.health(), { summary: 'does not answer', isWell: false })).summary
  }

  async function inTime<T>(answered: Promise<T>, otherwise: T): Promise<T> {
    const patience = new AbortController()
    const tooLate = clock.sleepUntil(clock.now() + PATIENCE_MS, patience.signal).then(() => otherwise)
    return Promise.race([answered, tooLate]).finally(() => patience.abort())
  }

  function takeoverTrouble(buckets: BucketsHeld | undefined, now: Instant): Refusal | undefined {
    if (buckets?.sinceAt === undefined || now - buckets.sinceAt < TAKEOVER_MS) return undefined
    return {
      sinceAt: buckets.sinceAt,
      words: `a controller owns ${buckets.notTakenUp} buckets and cannot take them up: their feeds are not polled`,
      hint: 'look at its log, and whether the store and NATS answer it; it tries again every second',
    }
  }

  app.get('/livez', (c) => c.text('ok\n'))

  app.get('/readyz', async (c) => {
    const isReady = !crawler.activity().refusal && (await storeAnswers())
    return isReady ? c.text('ready\n') : c.text('not ready; /healthz says why\n', 503)
  })

  app.get('/healthz', async (c) => {
    const { startedAt, underWay, refusal: ofStore, queueRefusal, buckets } = crawler.activity()
    const refusal = ofStore ?? queueRefusal ?? takeoverTrouble(buckets, clock.now())
    const beside = library && { library: await libraryInWords(library) }
    const facts = {
      version,
      startedAt: new Date(startedAt).toISOString(),
      underWay: underWay.length,
      ...beside,
      ...(threads && { threads: threads().map(threadShown) }),
    }
    if (refusal) {
      const sinceAt = new Date(refusal.sinceAt).toISOString()
      return c.json({ ok: false, ...facts, error: refusal.words, hint: refusal.hint, since: sinceAt }, 503)
    }
    if (await storeAnswers()) return c.json({ ok: true, ...facts })
    const words = { error: 'the store does not answer', hint: 'look whether its disk is full or its server is down' }
    return c.json({ ok: false, ...facts, ...words }, 503)
  })
  return app
}

function threadShown({ name, isRunning, queued, busyShare, longestCallMs, crashes }: ThreadStatus) {
  const rounded = { busyShare: Number(busyShare.toFixed(2)), longestCallMs: Math.round(longestCallMs) }
  return { name, running: isRunning, queued, ...rounded, crashes }
}
