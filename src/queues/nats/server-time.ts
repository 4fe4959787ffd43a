/**
 * The queue server's clock. Clocks of machines in a fleet differ, some by an hour; ages of messages are measured by the server's clock. It
 * timestamps each stored message, so one is stored and read back.
 */
import { type Instant, MINUTE, type Millis } from '../../model/index.ts'
import type { NatsLink } from './connection.ts'
import { queueNames, subjectWord } from './names.ts'

export interface ServerTime {
  now(): Instant
  /** How far this machine's clock is ahead of the server's. */
  aheadMs(): Millis
  measure(): Promise<void>
  close(): void
}

const MEASURED_EVERY_MS = MINUTE / 2

/** For roles that compare no dates with other machines. */
export function localTime(): ServerTime {
  return { now: Date.now, aheadMs: () => 0, measure: async () => {}, close: () => {} }
}

/** Monotonic, unaffected by changes of the machine's clock. */
const steady = () => performance.now()

export async function createServerTime(
  { nc, modules }: NatsLink,
  name: string,
  processName: string,
): Promise<ServerTime> {
  const { jetstream, jetstreamManager } = modules.jetstream
  const js = jetstream(nc)
  const jsm = await jetstreamManager(nc, { checkAPI: false })
  const names = queueNames(name)
  const subject = names.clockSubject(subjectWord(processName))
  let serverAtZero = Date.now() - steady()

  async function measure(): Promise<void> {
    const before = steady()
    const { seq } = await js.publish(subject, '')
    const after = steady()
    const stored = await jsm.streams.getMessage(names.clock, { seq })
    if (stored) serverAtZero = stored.time.getTime() - (before + after) / 2
  }

  await measure()
  const timer = setInterval(() => void measure().catch(() => {}), MEASURED_EVERY_MS) // on failure, the last measurement is good enough
  timer.unref()
  return {
    now: () => Math.floor(serverAtZero + steady()),
    aheadMs: () => Math.round(Date.now() - (serverAtZero + steady())),
    measure,
    close: () => clearInterval(timer),
  }
}
