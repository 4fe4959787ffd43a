/** A recorder on its own, with a fixed price and its events collected, for tests that pass it outcomes. */

import { createSteppedClock } from '../src/clocks/index.ts'
import { createErrorBoundary } from '../src/crawl/error-boundary.ts'
import { type CrawlEvent, fixedPrice } from '../src/crawl/index.ts'
import type { ArticlePolicy } from '../src/crawl/recorder/articles-to-fetch.ts'
import { createRecorder } from '../src/crawl/recorder/record-outcomes.ts'
import { HOUR, type Instant } from '../src/model/index.ts'
import { rolesOf, type Store } from '../src/ports/index.ts'
import { LIMITS } from '../src/scheduling/index.ts'

export function createRecorderHarness(store: Store, start: Instant, articles?: ArticlePolicy) {
  const events: CrawlEvent[] = []
  const clock = createSteppedClock(start)
  const emit = (event: CrawlEvent) => void events.push(event)
  const recorder = createRecorder({
    ...rolesOf(store),
    clock,
    errorBoundary: createErrorBoundary({ clock, emit }),
    quarantine: (_, error) => Promise.reject(error),
    terms: fixedPrice(HOUR, LIMITS).terms,
    strategy: 'fixed:1h',
    knownBy: 'key',
    random: () => 0,
    queueDueAt: (_, at) => at,
    ...(articles && { articles }),
    emit,
  })
  return { recorder, events }
}
