/**
 * The whole crawl, living through a feed's history: the real controller, terminal, queue and store, on a clock that jumps
 * from one due date to the next, with a Net that shows the history as a feed. Slower than `replay` and, because nothing in
 * it is pretended but time and the wire, the judge of it.
 */
import { createController, createTerminal, fixedPrice, newFeed } from '../crawl/index.ts'
import { createInProcessQueue, createMemoryStore, createSteppedClock } from '../drivers/index.ts'
import type { Instant } from '../model/index.ts'
import { createPace } from '../politeness/index.ts'
import type { Clock, Net } from '../ports/index.ts'
import { countUpTo, wholeSecond } from './instants.ts'
import type { Span } from './replay.ts'

const FEED_URL = 'http://history.localhost/feed.json'

/** When the feed was polled. `published` in ascending order. */
export async function liveThrough(published: readonly Instant[], strategy: string, span: Span): Promise<Instant[]> {
  const clock = createSteppedClock(span.from)
  const store = createMemoryStore()
  const polls: Instant[] = []
  const mistakes: unknown[] = []
  const queue = createInProcessQueue({ concurrency: 1, onMistake: (error) => mistakes.push(error) })
  const controller = createController({
    store,
    queue,
    clock,
    pace: createPace({ gapMs: 0 }),
    concurrency: 1,
    budget: fixedPrice(span.price, span.limits),
    strategy,
    random: () => 0.5,
    knownBy: 'key',
    emit(event) {
      if (event.kind === 'polled' && event.result.kind !== 'failed') polls.push(event.at)
      else mistakes.push(event)
    },
  })
  queue.collect(controller.apply)
  queue.serve(createTerminal({ clock, obeyRobots: 'guesses', net: historyNet(published, span.window, clock) }))
  await store.addFeeds([newFeed({ url: FEED_URL, title: 'history' }, strategy, span.from)])

  for (let at: Instant | undefined = span.from; at !== undefined && at < span.to; at = await store.nextDueAt()) {
    await clock.advanceTo(at)
    const sent = await controller.tick()
    await queue.idle()
    if (sent !== 1 || mistakes.length > 0) {
      throw new Error(`the crawl could not poll at ${new Date(at).toISOString()}`, { cause: mistakes[0] })
    }
  }
  await queue.close()
  return polls
}

/** Shows what was published by now, in a document that is the same as long as nothing new is. */
function historyNet(published: readonly Instant[], window: number, clock: Clock): Net {
  return {
    async get() {
      const upTo = countUpTo(published, clock.now())
      const first = Math.max(0, upTo - window)
      const items = published.slice(first, upTo).map((at, i) => ({
        id: `${first + i}`,
        title: `No. ${first + i}`,
        date_published: new Date(wholeSecond(at)).toISOString(),
      }))
      const document = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'history', items })
      const body = new TextEncoder().encode(document)
      return { ok: true, status: 200, url: FEED_URL, redirects: [], headers: {}, body, wireBytes: body.length }
    },
    post: () => Promise.reject(new Error('a history takes no forms')),
    close: async () => {},
  }
}
