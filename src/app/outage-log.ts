/**
 * Logs events, and summarizes outages: during an outage of the store or queue, several operations fail per second. One line reports its
 * start, one per minute its duration and the number of failed attempts, and one its end. Outages are logged without a stack.
 */
import { systemClock } from '../clocks/system-clock.ts'
import type { CrawlEvent } from '../crawl/index.ts'
import { formatDuration, type Instant, MINUTE, type Millis, SECOND } from '../model/index.ts'
import { type Clock, QueueError, StoreError } from '../ports/index.ts'
import { type Log, logEvent } from './log.ts'

export interface OutageLogOptions {
  log: Log
  clock?: Clock
}

/** A probe resolves while the service works, and rejects during an outage. */
export type Probes = Partial<Record<Service, () => Promise<unknown>>>

export interface OutageLog {
  /** Sets the probes that detect the end of an outage. */
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

const PROBE_INTERVAL_MS: Millis = 3 * SECOND
const REMINDER_INTERVAL_MS: Millis = MINUTE

export function createOutageLog({ log, clock = systemClock() }: OutageLogOptions): OutageLog {
  let probes: Probes = {}
  const outages = new Map<Service, Outage>()
  const closed = new AbortController()

  function note(event: CrawlEvent): void {
    const service = event.kind === 'store-recovered' ? 'store' : failedService(event)
    if (event.kind === 'store-recovered') {
      if (outages.has('store')) end('store')
    } else if (service === undefined || (event.kind === 'store-unavailable' && event.isLast)) logEvent(log, event)
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
    if (now - outage.loggedAt < REMINDER_INTERVAL_MS) return
    outage.loggedAt = now
    const { attempts, sinceAt } = outage
    log.warn(`the ${service} has been unavailable for ${formatDuration(now - sinceAt)}; ${attempts} attempts failed`, {
      event: 'outage',
      service,
      attempts,
    })
  }

  function logBegin(service: Service, event: CrawlEvent): void {
    const error = event.kind === 'internal-error' ? event.error : undefined
    if (error instanceof StoreError) logEvent(log, { kind: 'store-unavailable', at: event.at, error })
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
      await clock.sleepUntil(clock.now() + PROBE_INTERVAL_MS, closed.signal)
      const probeService = probes[service]
      if (closed.signal.aborted || !probeService || !outages.has(service)) return
      const isWell = await probeService().then(
        () => true,
        () => false,
      )
      if (isWell && outages.has(service)) return end(service)
    }
  }

  return {
    watch(newProbes) {
      probes = newProbes
    },
    note,
    mistake: (error, doing) => note({ kind: 'internal-error', at: clock.now(), error, doing }),
    close: () => closed.abort(),
  }
}

function failedService(event: CrawlEvent): Service | undefined {
  if (event.kind === 'store-unavailable') return 'store'
  if (event.kind !== 'internal-error') return undefined
  if (event.error instanceof StoreError) return 'store'
  return event.error instanceof QueueError ? 'queue' : undefined
}
