/** Stops a crawl: work in flight may finish within a grace period; the rest is released. */
import type { Millis } from '../../model/index.ts'
import { type Clock, type ControllerQueue, StoreError } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { BucketOwner } from '../fleet/bucket-owner.ts'
import type { Controller } from '../scheduler/controller.ts'

export interface StoppingParts {
  controller: Pick<Controller, 'waitUntilIdle' | 'waitForPushes' | 'releaseAll'>
  owner: BucketOwner | undefined
  queue: ControllerQueue
  clock: Clock
  /** Aborted when the grace period is over. */
  stopping: AbortController
  emit: (event: CrawlEvent) => void
}

export async function stopCrawler(
  { controller, owner, queue, clock, stopping, emit }: StoppingParts,
  graceMs: Millis,
): Promise<void> {
  const graceOver = new AbortController()
  const closed = (queue.isDurable ? controller.waitUntilIdle(graceOver.signal) : Promise.resolve()).then(() =>
    queue.close(graceOver.signal),
  )
  const closedInTime = new AbortController()
  const grace = clock.sleepUntil(clock.now() + graceMs, closedInTime.signal).then(() => {
    graceOver.abort()
    stopping.abort()
  })
  await closed
  closedInTime.abort()
  await grace
  await controller.waitForPushes()
  try {
    // In a durable queue, tasks stay in flight: the next owner of these buckets waits for them.
    if (!queue.isDurable) await controller.releaseAll()
    await owner?.retire()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    emit({ kind: 'store-unavailable', at: clock.now(), error, isLast: true })
  }
}
