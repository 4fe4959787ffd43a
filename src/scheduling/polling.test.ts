import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type FeedId, type HintedError, HOUR, MINUTE, type ScheduledFeed } from '../model/index.ts'
import { dueAt, LIMITS, type Strategy, sortByUrgency, strategyNamed } from './index.ts'

describe('dueAt', () => {
  const now = 100 * DAY
  it.each([
    ['accepts a date within the limits', now + HOUR, undefined, now + HOUR],
    ['applies the lower limit to an early date', now + 1, undefined, now + LIMITS.minMs],
    ['applies the lower limit to a date in the past', now - DAY, undefined, now + LIMITS.minMs],
    ['applies the upper limit to a late date', now + 400 * DAY, undefined, now + LIMITS.maxMs],
    ['politeness takes precedence over the proposed date', now + HOUR, now + 2 * HOUR, now + 2 * HOUR],
    ['politeness takes precedence over the upper limit', now + HOUR, now + 60 * DAY, now + 60 * DAY],
    ['applies the upper limit to an invalid date', Number.NaN, undefined, now + LIMITS.maxMs],
    ['applies the upper limit to an infinite date', Number.POSITIVE_INFINITY, undefined, now + LIMITS.maxMs],
    ['rounds a fraction of a millisecond up', now + HOUR + 0.25, undefined, now + HOUR + 1],
  ])('%s', (_, proposedAt, notBefore, expected) => {
    expect(dueAt(proposedAt, now, LIMITS, notBefore)).toBe(expected)
  })
})

const TERMS = { price: HOUR, limits: LIMITS, subscribers: 1 }

it('polls at the fixed interval whatever the feed shows', () => {
  const strategy = strategyNamed('fixed:15m')
  const memory = strategy.learn(strategy.begin(), { at: 5, window: [1, 2], fresh: 2 })
  expect(strategy.next(memory, 5, TERMS)).toBe(5 + 15 * MINUTE)
})

describe('strategy names', () => {
  it.each([
    ['fixed', HOUR],
    ['fixed:90s', 90_000],
    ['fixed:every=2d', 2 * DAY],
    ['fixed: every = 2d', 2 * DAY],
  ])('%s applies the settings', (spec, interval) => {
    expect(strategyNamed(spec).next(new Uint8Array(0), 7, TERMS)).toBe(7 + interval)
  })

  it.each([
    ['astrology', /unknown strategy "astrology"/, /available: .*moving-average/],
    ['toString', /unknown strategy/, /available/],
    ['fixed:often', /every of "fixed" cannot be "often"/, /a duration/],
    ['fixed:0', /cannot be "0"/, /from 1s/],
    ['fixed:1h,2h', /no setting "2h"/, /available: every/],
    ['fixed:colour=red', /no setting "colour"/, /available: every/],
    ['moving-average:virtual=none', /cannot be "none"/, /all or one/],
  ])('%s is rejected with a hint', (spec, message, hint) => {
    expect(() => strategyNamed(spec)).toThrow(message)
    try {
      strategyNamed(spec)
    } catch (error) {
      expect((error as HintedError).hint).toMatch(hint)
    }
  })
})

describe('sorting by urgency', () => {
  const byCount: Strategy = { ...strategyNamed('fixed:1h'), urgency: (memory) => memory[0] ?? 0 }
  const scheduled = (id: number, dueAt: number, urgency = 0): ScheduledFeed => ({
    revision: 0,
    feed: {
      id: id as FeedId,
      url: address('https://a.example/'),
      root: '',
      title: '',
      validators: {},
      subscribers: 0,
      state: 'active',
      addedAt: 0,
    },
    schedule: { strategy: 'x', memory: Uint8Array.of(urgency), dueAt, failures: 0 },
  })
  const ids = (feeds: ScheduledFeed[]) => feeds.map(({ feed }) => feed.id as number)

  it('puts the feed first that has waited longest, if the strategy has no urgency', () => {
    const due = [scheduled(1, 5), scheduled(2, 3), scheduled(3, 9)]
    expect(ids(sortByUrgency(due, 10, () => strategyNamed('fixed:1h')))).toEqual([2, 1, 3])
  })

  it('puts the most urgent feed first, if the strategy has urgency', () => {
    const due = [scheduled(1, 5, 1), scheduled(2, 3, 2), scheduled(3, 9, 2), scheduled(4, 1, 0)]
    expect(ids(sortByUrgency(due, 10, () => byCount))).toEqual([2, 3, 1, 4])
  })
})
