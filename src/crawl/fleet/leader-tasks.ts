/**
 * Leader tasks: what one process does for all, and others stand by to do. Whoever leads does it until it cannot say any more that it
 * lives. Then it stops before anybody else may begin, and whoever follows begins from what the store knows. A task that fails gives
 * the leadership up, for another process may fare better, and stands again after a backoff.
 */
import { type Instant, MINUTE, type Millis, SECOND } from '../../model/index.ts'
import type { Clock, Leadership } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'

/** Works until the signal aborts; before each piece of it, `isSure` says whether nobody else can have begun. */
export type Duty = (signal: AbortSignal, isSure: () => boolean) => Promise<void>

export interface DutiesParts {
  leadership: Leadership
  clock: Clock
  /** Nobody else has this name. */
  name: string
  duties: Readonly<Record<string, Duty>>
  emit: (event: CrawlEvent) => void
  /** Told what goes wrong; the task is begun anew, here or elsewhere. */
  trouble: (error: unknown, doing: string) => void
}

export interface Duties {
  /** Until the signal aborts; then everything is given up. */
  run(signal: AbortSignal): Promise<void>
  /** What is done here at the moment. */
  led(): string[]
}

const LIVES_MS: Millis = 10 * SECOND
const RENEWED_EVERY_MS: Millis = 3 * SECOND
/** So long before others may begin we have stopped. */
const MARGIN_MS: Millis = 2 * SECOND

/** After a task has failed. */
const FIRST_BACKOFF_MS: Millis = 5 * SECOND
const LONGEST_BACKOFF_MS: Millis = 5 * MINUTE

export function createDuties({ leadership, clock, name, duties, emit, trouble }: DutiesParts): Duties {
  const led = new Set<string>()

  async function runOne(role: string, duty: Duty, signal: AbortSignal): Promise<void> {
    let work: { over: Promise<void>; stop: AbortController; failed: boolean } | undefined
    let livesUntil: Instant = 0
    let failures = 0
    let standsAt: Instant = 0

    async function end(): Promise<void> {
      work?.stop.abort()
      await work?.over
      work = undefined
    }

    function begin(): void {
      emit({ kind: 'duty', at: clock.now(), role, what: 'begun' })
      led.add(role)
      const begun = { over: Promise.resolve(), stop: new AbortController(), failed: false }
      begun.over = duty(begun.stop.signal, () => clock.now() < livesUntil - MARGIN_MS)
        .catch((error: unknown) => trouble(error, role))
        .finally(() => {
          begun.failed = !begun.stop.signal.aborted // it works until it is told to stop
          led.delete(role)
        })
      work = begun
    }

    while (!signal.aborted) {
      const now = clock.now()
      if (work?.failed) {
        await end()
        standsAt = now + Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures++)
        emit({ kind: 'duty', at: now, role, what: 'lost' })
        await leadership.resign(role, name).catch(() => {}) // it ends by itself
      }
      const epoch = now < standsAt ? undefined : await lead(role, now, livesUntil)
      if (epoch) livesUntil = now + LIVES_MS
      if (epoch === undefined && work) {
        await end()
        emit({ kind: 'duty', at: clock.now(), role, what: 'lost' })
      }
      if (epoch && !work) begin()
      else if (epoch && now - standsAt > LONGEST_BACKOFF_MS) failures = 0
      await clock.sleepUntil(now + RENEWED_EVERY_MS, signal)
    }
    await end()
    await leadership.resign(role, name).catch(() => {}) // it ends by itself
  }

  /** The epoch of our leadership; 0: nobody could be asked, but it lasts. */
  function lead(role: string, now: Instant, livesUntil: Instant): Promise<number | undefined> {
    return leadership.lead(role, name, now, now + LIVES_MS).catch((error: unknown) => {
      trouble(error, `asking who sees to ${role}`)
      return clock.now() < livesUntil - MARGIN_MS ? 0 : undefined
    })
  }

  return {
    led: () => [...led].sort(),
    async run(signal) {
      await Promise.all(Object.entries(duties).map(([role, duty]) => runOne(role, duty, signal)))
    },
  }
}
