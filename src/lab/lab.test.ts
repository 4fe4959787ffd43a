import { describe, expect, test } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { LIMITS, type Setting, strategies, strategyNamed } from '../polling/index.ts'
import { createVillage, liveThrough, pollsOf } from './index.ts'
import { APART_MS } from './live-through.ts'
import { replayMarket } from './market-replay.ts'
import { createWorkers } from './workers.ts'

const START = Date.UTC(2030, 0, 7)
const limits = { ...LIMITS, maxMs: 4 * DAY } // so that every feed is polled more than once
const span = { from: START + 7 * DAY, to: START + 17 * DAY, window: 20, limits, price: HOUR }

/** Three weeks of sites with very different habits, and two that hardly exist. */
const histories: Record<string, Instant[]> = {
  'a newspaper': historyOf('gazette'),
  'a weathercock': historyOf('weathercock'),
  'a podcast': historyOf('burrow'),
  'a forum': historyOf('pump'),
  'a feed that never has anything': [],
  'a feed whose entries come in pairs': [1, 1, 10, 10, 16, 16].map((day) => START + day * DAY),
}
const newspaper = historyOf('gazette')

for (const name of Object.keys(strategies)) {
  describe(name, () => {
    test.each(Object.keys(histories))('polls %s at the same instants in the lab and in the crawl', async (who) => {
      const polls = pollsOf(histories[who]!, name, span)
      expect(polls.length).toBeGreaterThan(1)
      expect((await liveThrough([histories[who]!], name, span)).polls).toEqual([polls])
    })

    test('does so with any of its settings, and at another price', async () => {
      const short = { ...span, to: span.from + 2 * DAY }
      for (const spec of [name, ...withSettings(name)]) {
        const dear = { ...short, price: 7 * HOUR }
        expect((await liveThrough([newspaper], spec, dear)).polls, spec).toEqual([pollsOf(newspaper, spec, dear)])
      }
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

    test.each(underBudget(name))('%s meets a budget by the same prices in the lab and in the crawl', async (spec) => {
      const plan = { startAt: span.from, scoreAt: span.from, endAt: span.from + 5 * DAY }
      const all = Object.values(histories)
      const alignedTraces = all.map((published, i) => ({
        feed: String(i),
        kind: '',
        window: span.window,
        published: Float64Array.from(published),
        firstAt: span.from + i * APART_MS,
        known: 0,
      }))
      const workers = createWorkers({ alignedTraces, plan, limits }, { hands: 0 })
      const { tallies, prices } = await replayMarket(workers, spec, plan, 60)
      const lived = await liveThrough(all, spec, { ...span, to: plan.endAt }, 60)
      expect(tallies.map(({ polls }) => polls)).toEqual(lived.polls.map(({ length }) => length))
      expect(prices.map(({ price }) => price)).toContain(lived.price)
      expect(lived.price).not.toBe(prices[0]?.price)
    })
  })
}

/** As a budget can move it: while it trains, the price stands. */
function underBudget(name: string): string[] {
  if (!strategyNamed(name).priced) return []
  if (!('training' in strategies[name]!.settings)) return [name]
  return ['training=2d', 'training=0', 'training=0,by=threshold'].map((settings) => `${name}:${settings}`)
}

/** The strategy with each of its settings changed, one at a time. */
function withSettings(name: string): string[] {
  return Object.entries(strategies[name]!.settings).flatMap(([key, setting]) =>
    otherValues(setting).map((value) => `${name}:${key}=${value}`),
  )
}

function otherValues(setting: Setting): string[] {
  if (setting.kind === 'choice') return setting.choices.filter((choice) => choice !== setting.default)
  const changed = Math.min(setting.most, Math.max(setting.least, setting.default === 0 ? 1 : setting.default * 1.5))
  return [setting.kind === 'duration' ? `${Math.round(changed)}ms` : String(changed)]
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
