import { describe, expect, test } from 'vitest'
import { DAY, HOUR, type Instant, MINUTE } from '../model/index.ts'
import { LIMITS, strategies, strategyNamed } from '../polling/index.ts'
import { createVillage, liveThrough, replay } from './index.ts'

const START = Date.UTC(2030, 0, 7)
const span = { from: START + 7 * DAY, to: START + 21 * DAY, window: 20, limits: LIMITS }

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
      const replayed = replay(histories[who]!, name, span)
      expect(replayed.polls.length).toBeGreaterThan(1)
      expect(await liveThrough(histories[who]!, name, span)).toEqual(replayed.polls)
    })

    test('remembers nothing but its memory', () => {
      const strategy = strategyNamed(name)
      let kept = strategy.begin()
      let stored = kept
      for (let at = START; at < START + 3 * DAY; at += 7 * HOUR) {
        const window = histories['a newspaper']!.filter((publishedAt) => publishedAt <= at).slice(-20)
        const look = { at, window, fresh: Math.min(window.length, 3) }
        kept = strategy.learn(kept, look)
        stored = JSON.parse(JSON.stringify(strategy.learn(JSON.parse(JSON.stringify(stored)), look)))
        expect(stored).toEqual(kept)
        expect(strategy.next(stored, at)).toBe(strategy.next(kept, at))
      }
    })
  })
}

describe('replay', () => {
  const hours = Array.from({ length: 48 }, (_, i) => START + i * HOUR + 30 * MINUTE)

  test('counts what was found and how late, and what dropped out of the window unseen', () => {
    const day = { from: START, to: START + 2 * DAY, window: 10, limits: LIMITS }
    const replayed = replay(hours, 'fixed-1d', day)
    expect(replayed.polls).toEqual([START, START + DAY, START + 2 * DAY])
    const delays = Array.from({ length: 10 }, (_, i) => i * HOUR + 30 * MINUTE)
    expect(replayed).toMatchObject({ found: 20, missed: 28, delayMs: 2 * delays.reduce((a, b) => a + b) })
  })

  test('does not count what was there before the first poll', () => {
    const late = { from: START + DAY, to: START + DAY, window: 10, limits: LIMITS }
    expect(replay(hours, 'fixed-1h', late)).toEqual({ polls: [START + DAY], found: 0, missed: 0, delayMs: 0 })
  })

  test('an unknown strategy is named, with those there are', () => {
    expect(() => replay([], 'astrology', span)).toThrow('no strategy is called "astrology"')
  })
})

function historyOf(site: string): Instant[] {
  const village = createVillage({ clock: { now: () => START, sleepUntil: async () => {} } })
  return village
    .site(site)
    .published(START, START + 21 * DAY)
    .map((post) => post.at)
}
