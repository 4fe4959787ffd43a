/**
 * What a budget guarantees, over whole weeks and many mixes of feeds: a larger budget never increases delays, a budget
 * that covers the spending of `auto` is never worse than `auto`, and budgets are kept. The lab polls at the same
 * instants as the crawl (lab.test.ts); the first test uses the real controller in addition.
 */
import { describe, expect, it } from 'vitest'
import { asHistories, type Habit, inventedHistories, MONDAY, type WorldFeed } from '../../test/posting-histories.ts'
import { DAY, HOUR, type Instant, MINUTE, type Millis, type PollingGoals } from '../model/index.ts'
import { LIMITS } from '../scheduling/index.ts'
import { runLiveCrawl } from './live-crawl.ts'
import { runScheduled, type ScheduledHistory } from './scheduled-run.ts'

const DAYS = 21
/** Start of the scored period. */
const SCORED_FROM: Instant = MONDAY + 10 * DAY
const SEED = Number(process.env.TEST_SEED) || 1
/** Feeds are polled at most every two minutes: differences below half of that are noise. */
const CHANCE_MS: Millis = LIMITS.minMs / 2

interface Measured {
  meanMs: Millis
  p90Ms: Millis
  pollsPerDay: number
  days: number[]
  /** Maximum share of an hour's bound that was used. */
  fullestHour: number
  byFolder: Map<string, Millis>
}

interface Measuring {
  strategy?: string
  folders?: Map<string, PollingGoals>
  more?: (number: number) => Partial<ScheduledHistory>
}

function measure(
  world: WorldFeed[],
  pollsPerDay: number | 'auto',
  { strategy = 'tide', folders, more: overridesOf }: Measuring = {},
): Measured {
  const delays: Millis[] = []
  const days = new Array<number>(DAYS).fill(0)
  const ofFolder = new Map<string, Millis[]>()
  let hour = { at: 0, polls: 0 }
  let fullestHour = 0
  let boundOf: (at: Instant) => number = () => Number.POSITIVE_INFINITY
  const histories = asHistories(world, strategy, (i) => {
    const overrides = overridesOf?.(i) ?? {}
    return {
      ...overrides,
      onPoll({ at, first, seen, upTo }) {
        days[Math.floor((at - MONDAY) / DAY)]!++
        const began = Math.floor(at / HOUR) * HOUR
        hour = { at: began, polls: (hour.at === began ? hour.polls : 0) + 1 }
        if (at > MONDAY + DAY) fullestHour = Math.max(fullestHour, hour.polls / boundOf(at))
        if (first) return
        for (let k = seen; k < upTo; k++) {
          const published = world[i]!.published[k]!
          if (published < SCORED_FROM) continue
          delays.push(at - published)
          if (overrides.folder !== undefined)
            ofFolder.set(overrides.folder, [...(ofFolder.get(overrides.folder) ?? []), at - published])
        }
      },
    }
  })
  runScheduled(histories, {
    startAt: MONDAY,
    endAt: MONDAY + DAYS * DAY,
    limits: LIMITS,
    pollsPerDay,
    ...(folders && { folders }),
    onSettled: (_, scheduler) => {
      boundOf = (at) => scheduler.bounds(at)?.hour ?? Number.POSITIVE_INFINITY
    },
  })
  delays.sort((a, b) => a - b)
  return {
    meanMs: meanOf(delays),
    p90Ms: delays[Math.floor(0.9 * delays.length)] ?? 0,
    pollsPerDay: days.slice(7).reduce((a, b) => a + b, 0) / (DAYS - 7),
    days,
    fullestHour,
    byFolder: new Map([...ofFolder].map(([folder, delaysOfFolder]) => [folder, meanOf(delaysOfFolder)])),
  }
}

const meanOf = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0) / Math.max(1, numbers.length)
const weekOf = (days: number[], week: number) => meanOf(days.slice(7 * week, 7 * week + 7))

const OFFICE: Habit = { kind: 'office', zone: 0, least: 2, most: 20 }
const MIXES: Record<string, { habit: Habit; feeds: number }[]> = {
  'one region': [{ habit: OFFICE, feeds: 30 }],
  'two regions': [
    { habit: OFFICE, feeds: 12 },
    { habit: { ...OFFICE, zone: 9 }, feeds: 12 },
  ],
  'half of them around the clock': [
    { habit: OFFICE, feeds: 12 },
    { habit: { kind: 'around-the-clock', least: 2, most: 20 }, feeds: 12 },
  ],
  'weekend sites': [
    { habit: { kind: 'weekend', least: 2, most: 20 }, feeds: 18 },
    { habit: { kind: 'around-the-clock', least: 0.2, most: 5 }, feeds: 6 },
  ],
  bursts: [{ habit: { kind: 'bursts' }, feeds: 20 }],
  'on the stroke of the hour': [{ habit: { kind: 'hourly' }, feeds: 8 }],
  'five feeds': [{ habit: { kind: 'around-the-clock', least: 1, most: 30 }, feeds: 5 }],
}

describe('the real controller', () => {
  it('has no longer delays with a larger budget than without one', async () => {
    const world = inventedHistories([{ habit: OFFICE, feeds: 12 }], DAYS, SEED)
    const span = { from: MONDAY, to: MONDAY + 15 * DAY, window: 30, limits: LIMITS, price: HOUR }
    const instants = world.map(({ published }) => Array.from(published))
    const means: Millis[] = []
    for (const pollsPerDay of ['auto', 180, 360] as const) {
      const { polls } = await runLiveCrawl(instants, 'tide', span, { pollsPerDay })
      means.push(meanOf(instants.flatMap((published, i) => waitedFor(published, polls[i]!, MONDAY + 8 * DAY))))
    }
    const [auto = 0, named = 0, more = 0] = means
    expect(auto).toBeLessThan(25 * MINUTE)
    expect(named).toBeLessThan(1.1 * auto)
    expect(more).toBeLessThan(0.7 * named)
  })
})

/** Mean waiting time of entries from `from` on. */
function waitedFor(published: Instant[], polls: Instant[], from: Instant): Millis[] {
  return published.flatMap((at) => {
    const found = at >= from ? polls.find((poll) => poll >= at) : undefined
    return found === undefined ? [] : [found - at]
  })
}

describe.each(Object.entries(MIXES))('a budget for %s', (name, mix) => {
  const world = inventedHistories(mix, DAYS, SEED + 7)
  const auto = measure(world, 'auto')
  const shares = name === 'one region' || world.length < 10 ? [0.1, 0.3, 1, 3, 8] : [0.1, 0.4, 1, 3]
  const named = shares.map((share) => {
    const budget = Math.max(1, Math.round(share * auto.pollsPerDay))
    return { budget, share, ...measure(world, budget) }
  })

  it('has shorter delays the larger it is', () => {
    for (const [i, { meanMs, p90Ms, budget }] of named.entries()) {
      const previous = named[i - 1]
      if (!previous) continue
      expect(meanMs, `mean at ${budget}`).toBeLessThan(Math.max(1.05 * previous.meanMs, previous.meanMs + CHANCE_MS))
      expect(p90Ms, `p90 at ${budget}`).toBeLessThan(Math.max(1.1 * previous.p90Ms, previous.p90Ms + 2 * CHANCE_MS))
    }
  })

  it('is never worse than auto if it covers the spending of auto, in the busiest week and on the busiest day', () => {
    const busiest = Math.max(weekOf(auto.days, 1), weekOf(auto.days, 2), Math.max(...auto.days.slice(7)) / 1.4)
    for (const { meanMs, budget } of named.filter((measured) => measured.budget >= busiest))
      expect(meanMs, `at ${budget}`).toBeLessThan(Math.max(1.15 * auto.meanMs, auto.meanMs + CHANCE_MS))
  })

  it('is kept by week, day and hour', () => {
    for (const { budget, days, fullestHour } of named) {
      // Feeds polled about once a day spend in whole polls, and of few polls one is several percent.
      const isSmall = budget < 2 * world.length || budget < 100
      expect(weekOf(days, 2) / budget, `week 3 of ${budget}`).toBeLessThan(isSmall ? 1.15 : 1.03)
      const canSpend = name !== 'on the stroke of the hour' && name !== 'five feeds'
      if (canSpend && !isSmall) expect(weekOf(days, 2) / budget, `week 3 of ${budget}`).toBeGreaterThan(0.95)
      expect(Math.max(...days.slice(1)), `a day of ${budget}`).toBeLessThanOrEqual(Math.ceil(1.5 * budget))
      expect(days[0], `the first day of ${budget}`).toBeLessThanOrEqual(1.5 * budget + world.length)
      expect(fullestHour, `an hour of ${budget}`).toBeLessThanOrEqual(1.05)
    }
  })
})

describe('a budget', () => {
  const world = inventedHistories(MIXES['two regions']!, DAYS, SEED + 3)
  const inFolders = (i: number) => ({ folder: i % 5 === 0 ? 'Soon' : 'Rest' })

  it('meets a goal that it can afford, and delays others accordingly', () => {
    const folders = new Map([['Soon', { goalMs: 10 * MINUTE }]])
    const before = measure(world, 576, { more: inFolders })
    const after = measure(world, 576, { more: inFolders, folders })
    expect(before.byFolder.get('Soon')).toBeGreaterThan(7 * MINUTE)
    expect(after.byFolder.get('Soon')).toBeLessThan(6 * MINUTE) // half an interval of ten minutes
    expect(after.byFolder.get('Rest')).toBeLessThan(2 * before.byFolder.get('Rest')!)
    expect(weekOf(after.days, 2)).toBeLessThan(1.03 * 576)
  })

  it('spends nine tenths on a goal that it cannot afford, and is kept', () => {
    const folders = new Map([['Soon', { goalMs: 2 * MINUTE }]])
    const { byFolder, days } = measure(world, 288, { more: inFolders, folders })
    expect(byFolder.get('Soon')).toBeLessThan(8 * MINUTE)
    expect(weekOf(days, 2)).toBeLessThan(1.05 * 288)
  })

  it('if automatic, does not delay other feeds for goals', () => {
    const folders = new Map([['Soon', { goalMs: 2 * MINUTE }]])
    const before = measure(world, 'auto', { more: inFolders })
    const after = measure(world, 'auto', { more: inFolders, folders })
    expect(after.byFolder.get('Soon')).toBeLessThan(2 * MINUTE)
    expect(after.byFolder.get('Rest')).toBeLessThan(1.05 * before.byFolder.get('Rest')!)
  })

  it.each(['fixed:15m', 'moving-average', 'adva-rss', 'fix-learned', 'post-rate'])(
    'stretches the intervals of %s evenly, and no feed waits in a queue',
    (strategy) => {
      const [limited, unlimited] = [measure(world, 80, { strategy }), measure(world, 'auto', { strategy })]
      const isSteady = strategy !== 'post-rate' // because it learns another rate at another interval
      if (isSteady) expect(weekOf(limited.days, 2)).toBeGreaterThan(0.9 * Math.min(80, weekOf(unlimited.days, 2)))
      expect(weekOf(limited.days, 2)).toBeLessThan(1.05 * 80)
      // Delays grow with the intervals, equally for all feeds.
      if (strategy.startsWith('fixed'))
        expect(limited.meanMs / unlimited.meanMs).toBeCloseTo(unlimited.pollsPerDay / limited.pollsPerDay, -0.5)
    },
  )

  it('is kept with a thousand feeds as with a dozen', () => {
    const manyFeeds = inventedHistories(
      [
        { habit: OFFICE, feeds: 500 },
        { habit: { ...OFFICE, zone: 8 }, feeds: 200 },
        { habit: { kind: 'around-the-clock', least: 0.1, most: 20 }, feeds: 200 },
        { habit: { kind: 'bursts' }, feeds: 100 },
      ],
      DAYS,
      SEED,
    )
    const [few, more] = [measure(manyFeeds, 2000), measure(manyFeeds, 6000)]
    for (const [budget, { days, fullestHour }] of [[2000, few] as const, [6000, more] as const]) {
      expect(Math.max(...days)).toBeLessThanOrEqual(1.5 * budget)
      expect(fullestHour).toBeLessThanOrEqual(1.05)
      for (const week of [1, 2])
        expect(Math.abs(weekOf(days, week) / budget - 1), `${week} of ${budget}`).toBeLessThan(0.03)
    }
    expect(more.meanMs).toBeLessThan(0.5 * few.meanMs)
  })

  it('is kept while feeds are added and removed', () => {
    const more = (i: number) =>
      i % 3 === 0
        ? { addedAt: MONDAY + 8 * DAY, firstAt: MONDAY + 8 * DAY + i }
        : i % 3 === 1
          ? { removedAt: MONDAY + 13 * DAY }
          : {}
    const { days } = measure(world, 240, { more })
    for (const week of [1, 2]) expect(Math.abs(weekOf(days, week) / 240 - 1), `week ${week + 1}`).toBeLessThan(0.06)
  })
})
