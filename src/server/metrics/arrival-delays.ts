/**
 * How long entries were under way: from their publication until we saw them. It is counted when somebody looks, from what
 * arrived since he looked last, so that it costs nothing where nobody does. What a feed had said before we knew it does not
 * count, nor what has a day and no time of day.
 */
import { type EntryId, type FeedId, HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'
import type { Catalogue } from '../../ports/index.ts'
import { createHistogram, type Metric } from './text-format.ts'

const BOUNDS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 24 * HOUR].map(
  (ms) => ms / SECOND,
)
/** At one look; the rest is for the next. */
const MOST_COUNTED = 20_000

export function createArrivalDelays(catalogue: Catalogue): { metric(): Promise<Metric> } {
  const histogram = createHistogram(BOUNDS)
  const addedAt = new Map<FeedId, Instant | undefined>()
  let last: EntryId | undefined

  async function count(): Promise<void> {
    last ??= await catalogue.newestEntryId()
    addedAt.clear()
    let left = MOST_COUNTED
    for await (const { id, feedId, publishedAt, seenAt, dateOnly } of catalogue.everyEntry({ after: last })) {
      last = id
      const isNews = publishedAt !== undefined && !dateOnly && publishedAt >= ((await knownSince(feedId)) ?? seenAt)
      if (isNews && publishedAt <= seenAt) histogram.add((seenAt - publishedAt) / SECOND)
      if (--left === 0) break
    }
  }

  async function knownSince(id: FeedId): Promise<Instant | undefined> {
    if (!addedAt.has(id)) addedAt.set(id, (await catalogue.feedsById([id]))[0]?.feed.addedAt)
    return addedAt.get(id)
  }

  let counting = Promise.resolve()
  return {
    async metric() {
      counting = counting.catch(() => {}).then(count)
      await counting
      return histogram.metric('freshet_arrival_delay_seconds', 'From the publication of an entry until it was seen.')
    },
  }
}
