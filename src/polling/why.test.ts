import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type DueBecause, type FeedId, HOUR, MINUTE, type ScheduledFeed } from '../model/index.ts'
import { type Expectation, LIMITS, type Strategy, strategyNamed, termsOf, whyDue } from './index.ts'

const feed = { subscribers: 3, wants: undefined }

describe('terms', () => {
  it.each([
    ['everybody’s', {}, undefined, { ...LIMITS }, undefined],
    ['the folder’s', {}, { minMs: HOUR, goalMs: MINUTE }, { minMs: HOUR, maxMs: LIMITS.maxMs }, MINUTE],
    [
      'the feed’s own',
      { minMs: 2 * HOUR },
      { minMs: HOUR, goalMs: MINUTE },
      { minMs: 2 * HOUR, maxMs: LIMITS.maxMs },
      MINUTE,
    ],
    ['never a maximum below the minimum', { minMs: DAY }, { maxMs: HOUR }, { minMs: DAY, maxMs: DAY }, undefined],
  ])('are %s', (_, wants, folder, limits, goalMs) => {
    expect(termsOf({ ...feed, wants }, folder, LIMITS, 7)).toEqual({
      price: 7,
      subscribers: 3,
      limits,
      ...(goalMs !== undefined && { goalMs }),
    })
  })
})

describe('why then', () => {
  const expecting = (expectation: Expectation): Strategy => ({ ...strategyNamed('fixed'), expect: () => expectation })
  const flat = { perDay: 12, pending: 0.52, pollsPerDay: 20 }
  const terms = { price: 1, limits: LIMITS, subscribers: 1, goalMs: 10 * MINUTE }

  function scheduled(by: DueBecause, failures = 0): ScheduledFeed {
    return {
      revision: 0,
      feed: {
        id: 1 as FeedId,
        url: address('https://a.example/'),
        root: '',
        title: '',
        validators: {},
        subscribers: 1,
        state: 'active',
        addedAt: 0,
      },
      schedule: {
        strategy: 'fixed',
        memory: new Uint8Array(0),
        dueAt: HOUR,
        polledAt: 0,
        succeededAt: 0,
        failures,
        because: { by, price: 1 },
      },
    }
  }

  const noonOnMondays = {
    hours: Array.from({ length: 24 }, (_, hour) => (hour === 12 ? 0.5 : 0.5 / 23)),
    weekdays: [0.7, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
  }

  it.each<[string, Partial<Expectation>, DueBecause, RegExp]>([
    ['a rate', {}, 'strategy', /^about 12 entries a day are expected, 0.5 of them by then$/],
    ['a habit', noonOnMondays, 'strategy', /most on Mondays and around 12:00 UTC/],
    ['no habit where there is none', { hours: Array(24).fill(1 / 24) }, 'strategy', /expected, 0.5/],
    ['a full window', { decided: 'window' }, 'strategy', /would not fit into the feed$/],
    ['a burst', { decided: 'burst' }, 'strategy', /many came just now$/],
    ['a silence', { decided: 'silence' }, 'strategy', /by then; it has been silent for longer than usual$/],
    ['a goal', { decided: 'goal' }, 'strategy', /should be here within 10m$/],
    ['a limit', {}, 'min-interval', /^no feed is polled sooner than 2m .*; about 12/],
    ['the other limit', {}, 'max-interval', /^no feed waits longer than 31d/],
    ['its server', {}, 'server', /its server asks/],
    ['its publisher', {}, 'publisher', /the feed itself asks/],
    ['a hub', {}, 'push', /its hub tells us/],
  ])('names %s', (_, more, by, words) => {
    expect(whyDue(scheduled(by), expecting({ ...flat, ...more }), terms)?.words).toMatch(words)
  })

  it('speaks of the failure and not of entries, while polls fail', () => {
    const why = whyDue(scheduled('failure', 2), expecting(flat), terms)
    expect(why?.words).toMatch(/the last poll failed/)
    expect(why?.expectation).toBeUndefined()
  })

  it('names the strategy where that cannot say more, and nothing before the first poll', () => {
    expect(whyDue(scheduled('strategy'), strategyNamed('fixed'), terms)?.words).toBe('the strategy fixed wishes so')
    const { because: _, ...before } = scheduled('strategy').schedule
    expect(whyDue({ ...scheduled('strategy'), schedule: before }, strategyNamed('fixed'), terms)).toBeUndefined()
  })
})
