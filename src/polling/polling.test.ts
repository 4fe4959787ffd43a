import { describe, expect, it } from 'vitest'
import { DAY, type FeedId, HOUR, type Json, MINUTE, type ScheduledFeed } from '../model/index.ts'
import { dueAt, LIMITS, mostUrgentFirst, type Strategy, strategies, strategyNamed } from './index.ts'

describe('dueAt', () => {
  const now = 100 * DAY
  it.each([
    ['a wish within the limits is granted', now + HOUR, undefined, now + HOUR],
    ['a hasty wish waits for the lower limit', now + 1, undefined, now + LIMITS.minMs],
    ['a wish in the past waits for the lower limit', now - DAY, undefined, now + LIMITS.minMs],
    ['a wish beyond the upper limit is cut', now + 400 * DAY, undefined, now + LIMITS.maxMs],
    ['politeness goes before the wish', now + HOUR, now + 2 * HOUR, now + 2 * HOUR],
    ['politeness goes before the upper limit', now + HOUR, now + 60 * DAY, now + 60 * DAY],
    ['no number waits for the upper limit', Number.NaN, undefined, now + LIMITS.maxMs],
    ['never waits for the upper limit', Number.POSITIVE_INFINITY, undefined, now + LIMITS.maxMs],
    ['a fraction of a millisecond is rounded up', now + HOUR + 0.25, undefined, now + HOUR + 1],
  ])('%s', (_, wish, notBefore, expected) => {
    expect(dueAt(wish, now, LIMITS, notBefore)).toBe(expected)
  })
})

describe('moving average', () => {
  const strategy = strategyNamed('moving-average')
  const look = (memory: Json, at: number, window: number[], fresh: number) =>
    strategy.learn(memory, { at, window, fresh })

  it('waits the mean gap of the window after the last poll (eq. 1)', () => {
    const memory = look(
      strategy.begin(),
      10 * HOUR,
      [1, 3, 5, 9].map((h) => h * HOUR),
      4,
    )
    expect(strategy.next(memory, 10 * HOUR)).toBe(10 * HOUR + ((9 - 1) / 3) * HOUR)
  })

  it('adds a virtual entry when it came too early (eq. 2)', () => {
    const before = look(
      strategy.begin(),
      10 * HOUR,
      [1, 3, 5, 9].map((h) => h * HOUR),
      4,
    )
    const after = look(before, 14 * HOUR, [], 0)
    const u = 8 / 3 - (3 - 1) / 3 + (14 - 9) / 3
    expect((strategy.next(after, 14 * HOUR) - 14 * HOUR) / HOUR).toBeCloseTo(u, 10)
  })

  it('waits longer and longer while nothing comes, and recovers with the first new entries', () => {
    let memory = look(strategy.begin(), DAY, [DAY - 2 * HOUR, DAY - HOUR], 2)
    let at = DAY
    const waits: number[] = []
    for (let i = 0; i < 6; i++) {
      const next = strategy.next(memory, at)
      waits.push(next - at)
      at = next
      memory = look(memory, at, [], 0)
    }
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.at(-1)).toBeGreaterThanOrEqual(2 * (waits[0] ?? 0))
    memory = look(memory, at, [at - 20 * MINUTE, at - 10 * MINUTE], 2)
    expect(strategy.next(memory, at)).toBe(at + 10 * MINUTE)
  })

  it.each([
    ['an empty feed', []],
    ['a feed with one entry', [HOUR]],
  ])('guesses an hour for %s', (_, window) => {
    expect(strategy.next(look(strategy.begin(), 5 * HOUR, window, window.length), 5 * HOUR)).toBe(6 * HOUR)
  })

  it('keeps a bounded memory of a feed that shows very much', () => {
    const window = Array.from({ length: 20_000 }, (_, i) => i * MINUTE)
    expect(JSON.stringify(look(strategy.begin(), DAY, window, window.length)).length).toBeLessThan(2000)
  })
})

it('polls at the fixed interval whatever it sees', () => {
  const strategy = strategyNamed('fixed-1h')
  expect(strategy.next(strategy.learn(strategy.begin(), { at: 5, window: [1, 2], fresh: 2 }), 5)).toBe(5 + HOUR)
})

it.each(Object.entries(strategies))('%s remembers nothing but its memory, which survives JSON', (_, strategy) => {
  const look = { at: 100 * HOUR, window: [90 * HOUR, 95 * HOUR], fresh: 1 }
  const memory = strategy.learn(strategy.begin(), look)
  expect(strategy.next(JSON.parse(JSON.stringify(memory)), look.at)).toBe(strategy.next(memory, look.at))
})

it('names the strategies there are when asked for one there is not', () => {
  expect(() => strategyNamed('toString')).toThrow(/there are: moving-average/)
})

describe('who goes first', () => {
  const counting: Strategy = { ...strategyNamed('fixed-1h'), urgency: (memory) => Number(memory) }
  const scheduled = (id: number, dueAt: number, memory: Json = null): ScheduledFeed => ({
    feed: {
      id: id as FeedId,
      url: '',
      root: '',
      title: '',
      validators: {},
      subscribers: 0,
      state: 'active',
      addedAt: 0,
    },
    schedule: { strategy: 'x', memory, dueAt, failures: 0 },
  })
  const ids = (feeds: ScheduledFeed[]) => feeds.map(({ feed }) => feed.id as number)

  it('is the feed that has waited longest, when the strategy has no opinion', () => {
    const due = [scheduled(1, 5), scheduled(2, 3), scheduled(3, 9)]
    expect(ids(mostUrgentFirst(due, 10, () => strategyNamed('fixed-1h')))).toEqual([2, 1, 3])
  })

  it('is the feed that the strategy finds most urgent, when it has one', () => {
    const due = [scheduled(1, 5, 1), scheduled(2, 3, 2), scheduled(3, 9, 2), scheduled(4, 1, 0)]
    expect(ids(mostUrgentFirst(due, 10, () => counting))).toEqual([2, 3, 1, 4])
  })
})
