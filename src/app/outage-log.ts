/**
 * Logs events, and sums up outages: a store or queue that is away fails everything that is tried, several times a second. One line says that
 * it began, one a minute that it goes on and how many attempts failed, and one that it is over. No stack: the code is not to blame.
 */

import { systemClock } from '../clocks/system-clock.ts'
import type { CrawlEvent } from '../crawl/index.ts'
import { formatDuration, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import { type Clock, QueueError, StoreError } from '../ports/index.ts'
import { type Log, logEvent } from './log.ts'

export interface OutageLogParts {
  log: Log
  clock?: Clock
}

/** Resolves while the service works, and rejects while it does not. */
export type Probes = Partial<Record<Service, () => Promise<unknown>>>

export interface OutageLog {
  /** What is asked every few seconds during an outage to learn when it is over. */
  watch(probes: Probes): void
  note(event: CrawlEvent): void
  mistake(error: unknown, doing: string): void
  close(): void
}

type Service = 'store' | 'queue'

interface Outage {
  sinceAt: Instant
  loggedAt: Instant
  attempts: number
}

const PROBED_EVERY_MS: Millis = 3 * SECOND
const LOGGED_EVERY_MS: Millis = MINUTE

export function createOutageLog({ log, clock = systemClock() }: OutageLogParts): OutageLog {
  let probes: Probes = {}
  const outages = new Map<Service, Outage>()
  const closed = new AbortController()

  function note(event: CrawlEvent): void {
    const service = event.kind === 'store-well' ? 'store' : failedService(event)
    if (event.kind === 'store-well') {
      if (outages.has('store')) end('store')
    } else if (service === undefined || (event.kind === 'store-refuses' && event.isLast)) logEvent(log, event)
    else failed(service, event)
  }

  function failed(service: Service, event: CrawlEvent): void {
    const now = clock.now()
    const outage = outages.get(service)
    if (!outage) {
      outages.set(service, { sinceAt: now, loggedAt: now, attempts: 1 })
      logBegin(service, event)
      void probe(service)
      return
    }
    outage.attempts++
    if (now - outage.loggedAt < LOGGED_EVERY_MS) return
    outage.loggedAt = now
    const { attempts, sinceAt } = outage
    log.warn(`the ${service} has been unavailable for ${formatDuration(now - sinceAt)}; ${attempts} attempts failed`, {
      event: 'outage',
      service,
      attempts,
    })
  }

  function logBegin(service: Service, event: CrawlEvent): void {
    const error = event.kind === 'mistake' ? event.error : undefined
    if (error instanceof StoreError) logEvent(log, { kind: 'store-refuses', at: event.at, error })
    else if (error instanceof QueueError) log.error(`${error.message}. ${error.hint}`, { event: 'outage', service })
    else logEvent(log, event)
  }

  function end(service: Service): void {
    const { sinceAt, attempts } = outages.get(service)!
    outages.delete(service)
    const after = formatDuration(clock.now() - sinceAt)
    const more = attempts > 1 ? ` (${attempts} attempts failed)` : ''
    log.info(`the ${service} works again, after ${after}${more}`, { event: 'outage-over', service, attempts })
  }

  async function probe(service: Service): Promise<void> {
    while (!closed.signal.aborted) {
      await clock.sleepUntil(clock.now() + PROBED_EVERY_MS, closed.signal)
      const ask = probes[service]
      if (closed.signal.aborted || !ask || !outages.has(service)) return
      const isWell = await ask().then(
        () => true,
        () => false,
      )
      if (isWell && outages.has(service)) return end(service)
    }
  }

  return {
    watch(given) {
      probes = given
    },
    note,
    mistake: (error, doing) => note({ kind: 'mistake', at: clock.now(), error, doing }),
    close: () => closed.abort(),
  }
}

function failedService(event: CrawlEvent): Service | undefined {
  if (event.kind === 'store-refuses') return 'store'
  if (event.kind !== 'mistake') return undefined
  if (event.error instanceof StoreError) return 'store'
  return event.error instanceof QueueError ? 'queue' : undefined
}
