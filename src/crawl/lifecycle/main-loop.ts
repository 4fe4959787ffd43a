/** The loop of a crawl that runs on: does what is due, sleeps until something will be, and is woken by outcomes and by users. */
import { type Instant, MINUTE, type Millis, NEVER } from '../../model/index.ts'
import type { Clock, NextDue } from '../../ports/index.ts'
import { isOfStore, type Wall } from '../error-boundary.ts'
import type { Owner } from '../fleet/bucket-owner.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { Controller } from '../scheduler/controller.ts'

export interface MainLoop {
  /** Until the signal aborts. */
  run(signal: AbortSignal, retry: RetryTransient): Promise<void>
  /** There may be something to do. */
  wake(): void
}

export interface MainLoopParts {
  controller: Controller
  owner: Owner | undefined
  clock: Clock
  wall: Wall
  hands: () => number
  /** So much later than the first of them feeds are looked at that are due. */
  gatherMs: Millis
}

const WOKEN = 'woken' // without a reason, an error is made for each
const AFTER_MISTAKE_MS = MINUTE // ours: what was due stays due, and the mistake may have been of the moment

export function createMainLoop({ controller, owner, clock, wall, hands, gatherMs }: MainLoopParts): MainLoop {
  let woken = new AbortController()
  /** As the store said last; undefined where it was not asked. */
  let due: NextDue | undefined

  /** When somebody has something to do, if there are slots for it. */
  async function nextWorkAt(): Promise<Instant> {
    due = undefined
    if (controller.owesReleases()) return clock.now()
    const full = controller.underWay().length >= hands()
    const renewAt = owner?.renewAt() ?? NEVER
    if (full) return Math.min(renewAt, controller.nextLossAt() ?? NEVER)
    due = await controller.nextDue()
    const { pollAt = NEVER, hubAt = NEVER, pageAt = NEVER } = due
    return Math.min(pollAt, hubAt, pageAt, renewAt, controller.nextRoundAt() ?? NEVER)
  }

  /**
   * Does what is due, and says when something will be. Woken before its time, by an outcome or a person, it mostly finds
   * nothing to do, and to ask is cheaper than to look. A round in which we make a mistake is not the last one, unless there
   * is no store any more.
   */
  async function round(workAt: Instant, signal: AbortSignal): Promise<Instant> {
    try {
      const at = workAt > clock.now() ? await nextWorkAt() : workAt
      if (at > clock.now()) return at
      await owner?.renew()
      await controller.tick(signal, due)
      if (!due || (due.hubAt ?? NEVER) <= clock.now()) await controller.askHubs()
      return Math.max(clock.now() + 1, await nextWorkAt())
    } catch (error) {
      if (isOfStore(error)) throw error
      wall.report('looking for what is due', error)
      return clock.now() + AFTER_MISTAKE_MS
    }
  }

  return {
    wake: () => woken.abort(WOKEN),
    async run(signal, retry) {
      due = undefined
      signal.addEventListener('abort', () => woken.abort(WOKEN), { once: true })
      for (let workAt = clock.now(); !signal.aborted; ) {
        woken = new AbortController()
        workAt = await retry('work a round', () => round(workAt, signal))
        await clock.sleepUntil(workAt + gatherMs, woken.signal)
      }
    },
  }
}
