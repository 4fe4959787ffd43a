import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type DueBecause, type FeedId, HOUR, MINUTE, type ScheduledFeed } from '../model/index.ts'
import { type Expectation, LIMITS, type Strategy, strategies, strategyNamed, termsOf, whyDue } from './index.ts'

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
  ])('come from %s', (_, wants, folder, limits, goalMs) => {
    expect(termsOf({ ...feed, wants }, folder, LIMITS, 7)).toEqual({
      price: 7,
      subscribers: 3,
      limits,
      ...(goalMs !== undefined && { goalMs }),
    })
  })
})

describe('explainDueDate', () => {
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
  ])('gives %s as the cause', (_, more, by, words) => {
    expect(whyDue(scheduled(by), expecting({ ...flat, ...more }), terms)?.words).toMatch(words)
  })

  it('mentions the failure instead of entries while polls fail', () => {
    const why = whyDue(scheduled('failure', 2), expecting(flat), terms)
    expect(why?.words).toMatch(/^the last 2 polls failed, and every failure/)
    expect(whyDue(scheduled('failure', 1), expecting(flat), terms)?.words).toBe(
      'the last poll failed, and is tried again then',
    )
    expect(why?.expectation).toBeUndefined()
  })

  it('gives the uncertainty of the rate', () => {
    const why = whyDue(scheduled('strategy'), expecting({ ...flat, between: [4.2, 30] }), terms)
    expect(why?.words).toMatch(/^about 12 entries a day are expected \(4\.2 to 30\)/)
  })

  it('is undefined before the first poll, and names the strategy if that gives no explanation', () => {
    const { reason: _, ...silent } = strategyNamed('fixed')
    expect(whyDue(scheduled('strategy'), silent, terms)?.words).toBe('the strategy fixed wishes so')
    const { because: __, ...before } = scheduled('strategy').schedule
    expect(whyDue({ ...scheduled('strategy'), schedule: before }, strategyNamed('fixed'), terms)).toBeUndefined()
  })

  const hourly = Array.from({ length: 10 }, (_, i) => (i - 10) * HOUR + 10 * DAY)

  it.each([
    ['fixed:15m', /^it is polled every 15m, whatever it does$/, { everyMs: 15 * MINUTE }],
    ['fix-learned', /^at its first poll entries came 1h apart, and it keeps to that$/, { gapMs: HOUR }],
    ['moving-average', /^its last 10 entries, polls in vain among them, lie 1h apart/, { gapMs: HOUR, entries: 10 }],
    ['moving-average:virtual=one', /lie 1h apart in the mean$/, { gapMs: HOUR, entries: 10 }],
    ['moving-average:stretch=2', /1h apart in the mean, and it waits 2 times as long$/, { gapMs: HOUR, entries: 10 }],
    ['post-rate', /posts 10 entries a day, and one is expected by then$/, { entriesPerDay: 10 }],
    ['adva-rss:spread=0', /^M is 1.6 and T 1, so ToE is 2: as many rounds of 6m to 10m$/, { M: 1.6, T: 1, ToE: 2 }],
    ['adva-rss:spread=0,vary=0', /as many rounds of 8m$/, { M: 1.6, T: 1, ToE: 2 }],
    ['posting-history:spread=0', /^it trains for another 28d; M is 1.6/, { M: 1.6, T: 1, ToE: 2 }],
    [
      'posting-history:training=0',
      /posts 10 articles a day, and is looked at when 2.0 of them are expected to wait$/,
      { articlesPerDay: 10.028, rank: 2 },
    ],
    ['posting-history:training=0,c=1', /wait, each weighing 2.0$/, { articlesPerDay: 10.028, rank: 2 }],
    ['min-delay', /looked at when they will have waited 2h together$/, { articlesPerDay: 10.028, priceMs: 2 * HOUR }],
    [
      'sqrt-rate',
      /^11 entries came a day, and a poll is worth 2h of waiting$/,
      { entriesPerDay: 10.5, priceMs: 2 * HOUR },
    ],
    ['round-robin', /in turn, as the budget allows every 2h$/, { everyMs: 2 * HOUR }],
  ])('explains the decision of %s', (spec, words, figures) => {
    const strategy = strategyNamed(spec)
    const at = 10 * DAY
    const memory = strategy.learn(strategy.begin(), { at, window: hourly, fresh: 10 })
    const { feed, schedule, revision } = scheduled('strategy')
    const held = { feed, revision, schedule: { ...schedule, memory, polledAt: at, succeededAt: at, dueAt: at + HOUR } }
    const why = whyDue(held, strategy, { ...terms, price: 2 * HOUR })
    expect(why?.words).toMatch(words)
    for (const [name, value] of Object.entries(figures)) expect(why?.figures?.[name], name).toBeCloseTo(value, 2)
    const bound = { ...held, schedule: { ...held.schedule, because: { by: 'max-interval' as const, price: 1 } } }
    expect(whyDue(bound, strategy, terms)?.words).toMatch(/^no feed waits longer than 31d; ./)
  })

  it.each(Object.keys(strategies))('has something to say for %s, of a feed that has shown nothing, too', (name) => {
    const strategy = strategyNamed(name)
    const memory = strategy.learn(strategy.begin(), { at: 10 * DAY, window: [], fresh: 0 })
    const { feed, schedule, revision } = scheduled('strategy')
    const held = { feed, revision, schedule: { ...schedule, memory, polledAt: 10 * DAY, dueAt: 11 * DAY } }
    expect(whyDue(held, strategy, { ...terms, price: HOUR })?.words).not.toMatch(/wishes so|NaN|Infinity|undefined/)
  })
})
