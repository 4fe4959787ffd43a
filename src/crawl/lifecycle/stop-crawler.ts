/** The end of a crawl: work under way finishes, for so long; what is not done then is released. */
import type { Millis } from '../../model/index.ts'
import { type Clock, type Dispatch, StoreError } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import type { Owner } from '../fleet/bucket-owner.ts'
import type { Controller } from '../scheduler/controller.ts'

export interface StoppingParts {
  controller: Pick<Controller, 'landed' | 'settled' | 'handBackAll'>
  owner: Owner | undefined
  queue: Dispatch
  clock: Clock
  /** Aborted when the time is over. */
  stopping: AbortController
  emit: (event: CrawlEvent) => void
}

export async function stopCrawler(
  { controller, owner, queue, clock, stopping, emit }: StoppingParts,
  graceMs: Millis,
): Promise<void> {
  const late = new AbortController()
  const closed = (queue.outlivesUs ? controller.landed(late.signal) : Promise.resolve()).then(() =>
    queue.close(late.signal),
  )
  const enough = new AbortController()
  const grace = clock.sleepUntil(clock.now() + graceMs, enough.signal).then(() => {
    late.abort()
    stopping.abort()
  })
  await closed
  enough.abort()
  await grace
  await controller.settled()
  try {
    // What is still out stays out: whoever has our buckets next waits for it.
    if (!queue.outlivesUs) await controller.handBackAll()
    await owner?.retire()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    emit({ kind: 'store-refuses', at: clock.now(), error, isLast: true })
  }
}
