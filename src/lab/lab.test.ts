import { describe, expect, test } from 'vitest'
import { DAY, HOUR, type Instant, MINUTE, type PollingGoals } from '../model/index.ts'
import { LIMITS, type Setting, strategies, strategyNamed } from '../scheduling/index.ts'
import { createVillage, replayPolls, runLiveCrawl } from './index.ts'
import { FIRST_POLL_GAP_MS } from './live-crawl.ts'
import { runScheduled } from './scheduled-run.ts'

const START = Date.UTC(2030, 0, 7)
const limits = { ...LIMITS, maxMs: 4 * DAY } // so that every feed is polled more than once
const span = { from: START + 7 * DAY, to: START + 17 * DAY, window: 20, limits, price: HOUR }

/** Three weeks of sites with very different rhythms, two of them nearly empty. */
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
    test.each(Object.keys(histories))('polls %s at the same instants in the lab and in the crawl', async (feedName) => {
      const polls = replayPolls(histories[feedName]!, name, span)
      expect(polls.length).toBeGreaterThan(1)
      expect((await runLiveCrawl([histories[feedName]!], name, span)).polls).toEqual([polls])
    })

    test('polls at the same instants with any settings, and at another price', async () => {
      const short = { ...span, to: span.from + 2 * DAY }
      for (const spec of [name, ...withSettings(name)]) {
        const expensive = { ...short, price: 7 * HOUR }
        expect((await runLiveCrawl([newspaper], spec, expensive)).polls, spec).toEqual([
          replayPolls(newspaper, spec, expensive),
        ])
      }
    })

    test('has no state except its memory, and never changes its input', () => {
      const strategy = strategyNamed(name)
      const terms = { price: HOUR, limits: LIMITS, subscribers: 1 }
      let memoryNow = strategy.begin()
      let stored = memoryNow
      for (let at = START; at < START + 3 * DAY; at += 7 * HOUR) {
        const window = histories['a newspaper']!.filter((publishedAt) => publishedAt <= at).slice(-20)
        const observation = { at, window, fresh: Math.min(window.length, 3) }
        const before = memoryNow.slice()
        const learned = strategy.learn(memoryNow, observation)
        expect(memoryNow).toEqual(before)
        memoryNow = learned
        stored = elsewhere(strategy.learn(elsewhere(stored), observation))
        expect(stored).toEqual(memoryNow)
        expect(strategy.next(stored, at, terms)).toBe(strategy.next(memoryNow, at, terms))
      }
    })

    test.each(underBudget(name))(
      '%s meets a budget with the same polls and prices in the lab and in the crawl',
      async (spec) => {
        for (const pollsPerDay of [6, 60, 600, 'auto'] as const) await expectSame(spec, pollsPerDay)
      },
    )

    test('meets goals with the same polls in the lab and in the crawl', async () => {
      const folders = new Map([['Soon', { goalMs: 10 * MINUTE }]])
      for (const pollsPerDay of [12, 300]) await expectSame(name, pollsPerDay, folders)
    })

    test('charges bytes with the same polls in the lab and in the crawl', async () => {
      await expectSame(name, 'auto', new Map(), (i) => (i % 3 === 2 ? 3_800_000 : undefined))
    })
  })
}

/** Polls of each feed and the final price, with a goal for a folder that contains every second feed. */
async function expectSame(
  spec: string,
  pollsPerDay: number | 'auto',
  folders = new Map<string, PollingGoals>(),
  bytesOf: (i: number) => number | undefined = () => undefined,
) {
  const endAt = span.from + 5 * DAY
  const allHistories = Object.values(histories)
  const folderOf = (i: number) => (i % 2 === 0 ? 'Soon' : undefined)
  const polls: Instant[][] = allHistories.map(() => [])
  const { scheduler } = runScheduled(
    allHistories.map((published, i) => ({
      published,
      window: span.window,
      strategy: spec,
      firstAt: span.from + i * FIRST_POLL_GAP_MS,
      ...(i % 2 === 0 && { folder: 'Soon' }),
      ...(bytesOf(i) !== undefined && { pollBytes: () => bytesOf(i)! }),
      onPoll: ({ at }) => polls[i]!.push(at),
    })),
    { startAt: span.from, endAt, limits, pollsPerDay, folders },
  )
  const crawled = await runLiveCrawl(
    allHistories,
    spec,
    { ...span, to: endAt },
    { pollsPerDay, folders, folderOf, bytesOf },
  )
  expect(polls, `${spec} ${pollsPerDay}`).toEqual(crawled.polls)
  expect(scheduler.market().price).toBe(crawled.price)
}

/** The strategy under a budget; the price has no effect during training. */
function underBudget(name: string): string[] {
  if (!('training' in strategies[name]!.settings)) return [name]
  return ['training=2d', 'training=0', 'training=0,by=threshold'].map((settings) => `${name}:${settings}`)
}

/** The strategy with each setting changed, one at a time. */
function withSettings(name: string): string[] {
  return Object.entries(strategies[name]!.settings).flatMap(([key, setting]) =>
    otherValues(setting).map((value) => `${name}:${key}=${value}`),
  )
}

function otherValues(setting: Setting): string[] {
  if (setting.kind === 'choice') return setting.choices.filter((choice) => choice !== setting.default)
  const changed = Math.min(setting.max, Math.max(setting.min, setting.default === 0 ? 1 : setting.default * 1.5))
  return [setting.kind === 'duration' ? `${Math.round(changed)}ms` : String(changed)]
}

/** The same bytes at an unaligned offset of other memory, as databases may return them. */
function elsewhere(memory: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(memory.length + 3)
  buffer.set(memory, 3)
  return buffer.subarray(3)
}

function historyOf(site: string): Instant[] {
  const village = createVillage({ clock: { now: () => START, sleepUntil: async () => {} } })
  return village
    .site(site)
    .published(START, START + 21 * DAY)
    .map((post) => post.at)
}
