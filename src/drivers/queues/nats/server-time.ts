/**
 * What the queue's clock says. Machines of a fleet have clocks that differ, some by an hour; all of them go by the server's where
 * it matters how old something is. It stamps each message that it stores, so one is stored and looked at.
 */
import { type Instant, MINUTE, type Millis } from '../../../model/index.ts'
import type { NatsLink } from './connection.ts'
import { queueNames, subjectWord } from './names.ts'

export interface ServerTime {
  now(): Instant
  /** By how much this machine's clock is ahead of the server's. */
  aheadMs(): Millis
  measure(): Promise<void>
  close(): void
}

const MEASURED_EVERY_MS = MINUTE / 2

/** For who compares no dates with others. */
export function machineTime(): ServerTime {
  return { now: Date.now, aheadMs: () => 0, measure: async () => {}, close: () => {} }
}

/** Monotonic, and not touched by who sets the machine's clock. */
const steady = () => performance.now()

export async function createServerTime({ nc, modules }: NatsLink, name: string, who: string): Promise<ServerTime> {
  const { jetstream, jetstreamManager } = modules.jetstream
  const js = jetstream(nc)
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const names = queueNames(name)
  const subject = names.clockSubject(subjectWord(who))
  let serverAtZero = Date.now() - steady()

  async function measure(): Promise<void> {
    const before = steady()
    const { seq } = await js.publish(subject, '')
    const after = steady()
    const stored = await jsm.streams.getMessage(names.clock, { seq })
    if (stored) serverAtZero = stored.time.getTime() - (before + after) / 2
  }

  await measure()
  const timer = setInterval(() => void measure().catch(() => {}), MEASURED_EVERY_MS) // the last measure will do
  timer.unref()
  return {
    now: () => Math.floor(serverAtZero + steady()),
    aheadMs: () => Math.round(Date.now() - (serverAtZero + steady())),
    measure,
    close: () => clearInterval(timer),
  }
}
