/** A crawl that does not run on: everything that is due, or just some feeds, once. */
import { type FeedId, MINUTE, type Millis, NEVER, type SourceId } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { Owner } from '../fleet/bucket-owner.ts'
import type { Controller } from '../scheduler/controller.ts'
import type { Keeper } from './background-loop.ts'

export interface SingleRuns {
  /** Does everything that is due by now, once, and what that leads to; hosts that rest are not waited for. */
  runOnce(signal: AbortSignal): Promise<void>
  /** Does just these, each as soon as politeness allows; for an owner of the store that runs no loop. */
  perform(what: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
}

export interface SingleRunsParts {
  controller: Controller
  owner: Owner | undefined
  keeper: Pick<Keeper, 'dealWithNews'>
  clock: Clock
  begin: () => Promise<void>
  /** Pages that are wanted no longer. */
  dropPages: () => Promise<unknown>
  /** What is wrong with the store for good. */
  fatal: () => Error | undefined
}

const BUCKETS_WAITED_FOR_MS = MINUTE / 4
const NOT_WAITED_FOR_MS: Millis = MINUTE // how long `runOnce` waits for a turn at a root

export function createSingleRuns(parts: SingleRunsParts): SingleRuns {
  const { controller, owner, keeper, clock, begin, dropPages, fatal } = parts

  /** Those of somebody who died a moment ago are to be had in some seconds. */
  async function waitForBuckets(signal: AbortSignal): Promise<void> {
    const until = clock.now() + BUCKETS_WAITED_FOR_MS
    while (owner && owner.owned().size === 0 && clock.now() < until && !signal.aborted) {
      await clock.sleepUntil(owner.renewAt(), signal)
      await owner.renew()
    }
  }

  async function end(signal: AbortSignal): Promise<void> {
    const error = fatal()
    if (error) throw error
    await keeper.dealWithNews(signal)
  }

  return {
    async runOnce(signal) {
      await begin()
      await waitForBuckets(signal)
      await dropPages()
      await controller.chooseNow()
      while (!signal.aborted && !fatal()) {
        const sent = await controller.tick(signal)
        await controller.landed(signal) // who interrupts leaves the rest to stop()
        if (sent > 0) continue
        const turnAt = Math.min(controller.nextTurnAt() ?? NEVER, (await controller.nextDue()).pageAt ?? NEVER)
        if (turnAt > clock.now() + NOT_WAITED_FOR_MS) break
        await clock.sleepUntil(turnAt, signal)
      }
      await end(signal)
    },

    async perform(what, signal) {
      await begin()
      await controller.sendNow(what, signal)
      await controller.landed()
      await end(signal)
    },
  }
}
