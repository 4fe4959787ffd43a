/** Single runs of a crawl: polls everything that is due, or only some feeds, once. */
import { type FeedId, MINUTE, type Millis, NEVER, SECOND, type SourceId } from '../../model/index.ts'
import type { Clock } from '../../ports/index.ts'
import type { BucketOwner } from '../fleet/bucket-owner.ts'
import type { Controller } from '../scheduler/controller.ts'
import type { BackgroundLoop } from './background-loop.ts'

export interface SingleRuns {
  /** Does everything that is due now and what follows from it, once. Does not wait for hosts that are backing off. */
  runOnce(signal: AbortSignal): Promise<void>
  /** Polls only these feeds and sources, each as soon as its host slot is free. For a process that does not call `run`. */
  pollSelected(selection: { sources: SourceId[]; feeds: FeedId[] }, signal: AbortSignal): Promise<void>
  /** Fetches articles, those that users requested first, until this one is read or has failed. Waits at most a minute. */
  fetchRequested(isSettled: () => boolean, signal: AbortSignal): Promise<void>
}

export interface SingleRunsParts {
  controller: Controller
  owner: BucketOwner | undefined
  backgroundLoop: Pick<BackgroundLoop, 'processPending'>
  clock: Clock
  begin: () => Promise<void>
  /** Drops articles that are no longer wanted. */
  dropUnwantedArticles: () => Promise<unknown>
  /** The store error that ends the crawl, if there was one. */
  fatal: () => Error | undefined
}

const MAX_BUCKET_WAIT_MS = MINUTE / 4
const ARTICLE_CHECK_MS: Millis = SECOND / 4
const MAX_HOST_WAIT_MS: Millis = MINUTE // how long `runOnce` waits for a host slot

export function createSingleRuns(parts: SingleRunsParts): SingleRuns {
  const { controller, owner, backgroundLoop, clock, begin, dropUnwantedArticles, fatal } = parts

  /** Buckets of a controller that just died become available after some seconds. */
  async function waitForBuckets(signal: AbortSignal): Promise<void> {
    const until = clock.now() + MAX_BUCKET_WAIT_MS
    while (owner && owner.owned().size === 0 && clock.now() < until && !signal.aborted) {
      await clock.sleepUntil(owner.renewAt(), signal)
      await owner.renew()
    }
  }

  async function end(signal: AbortSignal): Promise<void> {
    const error = fatal()
    if (error) throw error
    await backgroundLoop.processPending(signal)
  }

  return {
    async runOnce(signal) {
      await begin()
      await waitForBuckets(signal)
      await dropUnwantedArticles()
      await controller.selectNow()
      while (!signal.aborted && !fatal()) {
        const sent = await controller.tick(signal)
        await controller.waitUntilIdle(signal) // after an abort, stop() handles the rest
        if (sent > 0) continue
        const hostSlotAt = Math.min(
          controller.nextHostSlotAt() ?? NEVER,
          (await controller.nextDue()).articleAt ?? NEVER,
        )
        if (hostSlotAt > clock.now() + MAX_HOST_WAIT_MS) break
        await clock.sleepUntil(hostSlotAt, signal)
      }
      await end(signal)
    },

    async fetchRequested(isSettled, signal) {
      await begin()
      await waitForBuckets(signal)
      const until = clock.now() + MAX_HOST_WAIT_MS
      while (!isSettled() && !signal.aborted && !fatal() && clock.now() < until) {
        if (!(await controller.sendArticle())) await clock.sleepUntil(clock.now() + ARTICLE_CHECK_MS, signal)
        await controller.waitUntilIdle(signal)
      }
      await end(signal)
    },

    async pollSelected(selection, signal) {
      await begin()
      await controller.sendNow(selection, signal)
      await controller.waitUntilIdle()
      await end(signal)
    },
  }
}
