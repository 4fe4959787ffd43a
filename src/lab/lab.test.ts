import { describe, expect, test } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { LIMITS, strategies, strategyNamed } from '../polling/index.ts'
import { createVillage, liveThrough, pollsOf } from './index.ts'

const START = Date.UTC(2030, 0, 7)
const span = { from: START + 7 * DAY, to: START + 21 * DAY, window: 20, limits: LIMITS, price: HOUR }

/** Three weeks of sites with very different habits, and two that hardly exist. */
const histories: Record<string, Instant[]> = {
  'a newspaper': historyOf('gazette'),
  'a weathercock': historyOf('weathercock'),
  'a podcast': historyOf('burrow'),
  'a forum': historyOf('pump'),
  'a feed that never has anything': [],
  'a feed whose entries come in pairs': [1, 1, 10, 10, 20, 20].map((day) => START + day * DAY),
}

for (const name of Object.keys(strategies)) {
  describe(name, () => {
    test.each(Object.keys(histories))('polls %s at the same instants in the lab and in the crawl', async (who) => {
      const polls = pollsOf(histories[who]!, name, span)
      expect(polls.length).toBeGreaterThan(1)
      expect(await liveThrough(histories[who]!, name, span)).toEqual(polls)
    })

    test('remembers nothing but its memory, and never changes the one it is given', () => {
      const strategy = strategyNamed(name)
      const terms = { price: HOUR, limits: LIMITS, subscribers: 1 }
      let kept = strategy.begin()
      let stored = kept
      for (let at = START; at < START + 3 * DAY; at += 7 * HOUR) {
        const window = histories['a newspaper']!.filter((publishedAt) => publishedAt <= at).slice(-20)
        const look = { at, window, fresh: Math.min(window.length, 3) }
        const before = kept.slice()
        const learnt = strategy.learn(kept, look)
        expect(kept).toEqual(before)
        kept = learnt
        stored = elsewhere(strategy.learn(elsewhere(stored), look))
        expect(stored).toEqual(kept)
        expect(strategy.next(stored, at, terms)).toBe(strategy.next(kept, at, terms))
      }
    })
  })
}

/** The same bytes at an odd address of other memory, as a database may hand them out. */
function elsewhere(memory: Uint8Array): Uint8Array {
  const room = new Uint8Array(memory.length + 3)
  room.set(memory, 3)
  return room.subarray(3)
}

function historyOf(site: string): Instant[] {
  const village = createVillage({ clock: { now: () => START, sleepUntil: async () => {} } })
  return village
    .site(site)
    .published(START, START + 21 * DAY)
    .map((post) => post.at)
}
