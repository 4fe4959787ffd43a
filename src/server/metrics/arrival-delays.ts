/**
 * Histogram of arrival delays: from the publication of an entry until it was seen. Each scrape counts the entries since the previous one,
 * so it costs nothing without scrapes. Entries published before their feed was added do not count, nor do imported ones, nor entries whose
 * date has no time.
 */
import { type EntryId, type FeedId, HOUR, type Instant, MINUTE, SECOND } from '../../model/index.ts'
import type { Catalogue } from '../../ports/index.ts'
import { createHistogram, type Metric } from './text-format.ts'

const BOUNDS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 24 * HOUR].map(
  (ms) => ms / SECOND,
)
/** Per scrape; the next one continues. */
const MAX_COUNTED = 20_000

export function createArrivalDelays(catalogue: Catalogue): { metric(): Promise<Metric> } {
  const histogram = createHistogram(BOUNDS)
  const addedAt = new Map<FeedId, Instant | undefined>()
  let last: EntryId | undefined

  async function count(): Promise<void> {
    last ??= await catalogue.newestEntryId()
    addedAt.clear()
    let remaining = MAX_COUNTED
    for await (const { id, feedId, publishedAt, seenAt, dateOnly, imported } of catalogue.everyEntry({ after: last })) {
      last = id
      const isNews =
        publishedAt !== undefined && !dateOnly && !imported && publishedAt >= ((await addedAtOf(feedId)) ?? seenAt)
      if (isNews && publishedAt <= seenAt) histogram.add((seenAt - publishedAt) / SECOND)
      if (--remaining === 0) break
    }
  }

  async function addedAtOf(id: FeedId): Promise<Instant | undefined> {
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
