/**
 * What one process does for all, and others stand by to do: whoever leads does it until it cannot say any more that it lives. Then it
 * stops before anybody else may begin, and whoever follows begins from what the store knows.
 */
import { type Instant, type Millis, SECOND } from '../../model/index.ts'
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
  /** Told what goes wrong; the duty is begun anew later. */
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

export function createDuties({ leadership, clock, name, duties, emit, trouble }: DutiesParts): Duties {
  const led = new Set<string>()

  async function runOne(role: string, duty: Duty, signal: AbortSignal): Promise<void> {
    let work: { over: Promise<void>; stop: AbortController } | undefined
    let livesUntil: Instant = 0

    async function end(): Promise<void> {
      work?.stop.abort()
      await work?.over
      work = undefined
    }

    while (!signal.aborted) {
      const now = clock.now()
      const epoch = await leadership.lead(role, name, now, now + LIVES_MS).catch((error: unknown) => {
        trouble(error, `asking who sees to ${role}`)
        return clock.now() < livesUntil - MARGIN_MS ? 0 : undefined
      })
      if (epoch) livesUntil = now + LIVES_MS
      if (epoch === undefined && work) {
        await end()
        emit({ kind: 'duty', at: clock.now(), role, what: 'lost' })
      }
      if (epoch && !work) {
        emit({ kind: 'duty', at: clock.now(), role, what: 'begun' })
        led.add(role)
        const stop = new AbortController()
        const over = duty(stop.signal, () => clock.now() < livesUntil - MARGIN_MS)
          .catch((error: unknown) => trouble(error, role))
          .finally(() => led.delete(role))
        work = { over, stop }
      }
      await clock.sleepUntil(now + RENEWED_EVERY_MS, signal)
    }
    await end()
    await leadership.resign(role, name).catch(() => {}) // it ends by itself
  }

  return {
    led: () => [...led].sort(),
    async run(signal) {
      await Promise.all(Object.entries(duties).map(([role, duty]) => runOne(role, duty, signal)))
    },
  }
}
