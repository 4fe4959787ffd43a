import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type DueBecause, type FeedId, HOUR, MINUTE, type ScheduledFeed } from '../model/index.ts'
import { type Expectation, explainDueDate, LIMITS, type Strategy, strategies, strategyNamed, termsOf } from './index.ts'

const feed = { subscribers: 3, wants: undefined }

describe('terms', () => {
  it.each([
    ['the defaults', {}, undefined, { ...LIMITS }, undefined],
    ['the folder', {}, { minMs: HOUR, goalMs: MINUTE }, { minMs: HOUR, maxMs: LIMITS.maxMs }, MINUTE],
    [
      'the feed itself',
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
  const strategyExpecting = (expectation: Expectation): Strategy => ({
    ...strategyNamed('fixed'),
    expect: () => expectation,
  })
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
    ['a full window', { decided: 'window' }, 'strategy', /would overflow the feed$/],
    [
      'a burst',
      { decided: 'burst' },
      'strategy',
      /^many entries have just arrived, and about [\d.]+ more are expected by then$/,
    ],
    ['a silence', { decided: 'silence' }, 'strategy', /by then; it has been silent for longer than usual$/],
    ['a goal', { decided: 'goal' }, 'strategy', /the goal is to fetch them within 10m$/],
    ['a limit', {}, 'min-interval', /^the minimum interval is 2m; about 12/],
    ['the other limit', {}, 'max-interval', /^the maximum interval is 31d/],
    ['its server', {}, 'server', /the server asked to wait until then/],
    ['its publisher', {}, 'publisher', /the feed asks not/],
    ['a hub', {}, 'push', /the hub pushes/],
  ])('gives %s as the cause', (_, changes, by, text) => {
    expect(explainDueDate(scheduled(by), strategyExpecting({ ...flat, ...changes }), terms)?.words).toMatch(text)
  })

  it('mentions the failure instead of entries while polls fail', () => {
    const explanation = explainDueDate(scheduled('failure', 2), strategyExpecting(flat), terms)
    expect(explanation?.words).toMatch(/^the last 2 polls failed, and each failure/)
    expect(explainDueDate(scheduled('failure', 1), strategyExpecting(flat), terms)?.words).toBe(
      'the last poll failed, and is retried then',
    )
    expect(explanation?.expectation).toBeUndefined()
  })

  it('gives the uncertainty of the rate', () => {
    const explanation = explainDueDate(scheduled('strategy'), strategyExpecting({ ...flat, between: [4.2, 30] }), terms)
    expect(explanation?.words).toMatch(/^about 12 entries a day are expected \(4\.2 to 30\)/)
  })

  it('is undefined before the first poll, and names the strategy if that gives no explanation', () => {
    const { reason: _, ...silent } = strategyNamed('fixed')
    expect(explainDueDate(scheduled('strategy'), silent, terms)?.words).toBe('set by the strategy fixed')
    const { because: __, ...before } = scheduled('strategy').schedule
    expect(
      explainDueDate({ ...scheduled('strategy'), schedule: before }, strategyNamed('fixed'), terms),
    ).toBeUndefined()
  })

  const hourly = Array.from({ length: 10 }, (_, i) => (i - 10) * HOUR + 10 * DAY)

  it.each([
    ['fixed:15m', /^it is polled every 15m$/, { everyMs: 15 * MINUTE }],
    ['fix-learned', /^the mean gap between entries was 1h at the first poll$/, { gapMs: HOUR }],
    ['moving-average', /^the mean gap of its last 10 entries, .* is 1h/, { gapMs: HOUR, entries: 10 }],
    ['moving-average:virtual=one', /is 1h$/, { gapMs: HOUR, entries: 10 }],
    ['moving-average:stretch=2', /is 1h, and it waits 2 times as long$/, { gapMs: HOUR, entries: 10 }],
    ['post-rate', /posts 10 entries a day, and one is expected by then$/, { entriesPerDay: 10 }],
    ['adva-rss:spread=0', /^M is 1.6 and T 1, so ToE is 2 rounds of 6m to 10m$/, { M: 1.6, T: 1, ToE: 2 }],
    ['adva-rss:spread=0,vary=0', /ToE is 2 rounds of 8m$/, { M: 1.6, T: 1, ToE: 2 }],
    ['posting-history:spread=0', /^the training phase lasts another 28d; M is 1.6/, { M: 1.6, T: 1, ToE: 2 }],
    [
      'posting-history:training=0',
      /posts 10 articles a day, and is polled when 2.0 of them are expected to be waiting$/,
      { articlesPerDay: 10.028, rank: 2 },
    ],
    ['posting-history:training=0,c=1', /waiting, each weighing 2.0$/, { articlesPerDay: 10.028, rank: 2 }],
    ['min-delay', /polled when their total waiting time reaches 2h$/, { articlesPerDay: 10.028, priceMs: 2 * HOUR }],
    [
      'sqrt-rate',
      /^it posted 11 entries a day, and a poll costs 2h of waiting$/,
      { entriesPerDay: 10.5, priceMs: 2 * HOUR },
    ],
    ['round-robin', /in turn; the budget allows one poll every 2h$/, { everyMs: 2 * HOUR }],
  ])('explains the decision of %s', (spec, text, figures) => {
    const strategy = strategyNamed(spec)
    const at = 10 * DAY
    const memory = strategy.learn(strategy.begin(), { at, window: hourly, fresh: 10 })
    const { feed, schedule, revision } = scheduled('strategy')
    const scheduledFeed = {
      feed,
      revision,
      schedule: { ...schedule, memory, polledAt: at, succeededAt: at, dueAt: at + HOUR },
    }
    const explanation = explainDueDate(scheduledFeed, strategy, { ...terms, price: 2 * HOUR })
    expect(explanation?.words).toMatch(text)
    for (const [name, value] of Object.entries(figures))
      expect(explanation?.figures?.[name], name).toBeCloseTo(value, 2)
    const bound = {
      ...scheduledFeed,
      schedule: { ...scheduledFeed.schedule, because: { by: 'max-interval' as const, price: 1 } },
    }
    expect(explainDueDate(bound, strategy, terms)?.words).toMatch(/^the maximum interval is 31d; ./)
  })

  it.each(Object.keys(strategies))('explains %s for a feed without entries, too', (name) => {
    const strategy = strategyNamed(name)
    const memory = strategy.learn(strategy.begin(), { at: 10 * DAY, window: [], fresh: 0 })
    const { feed, schedule, revision } = scheduled('strategy')
    const scheduledFeed = { feed, revision, schedule: { ...schedule, memory, polledAt: 10 * DAY, dueAt: 11 * DAY } }
    expect(explainDueDate(scheduledFeed, strategy, { ...terms, price: HOUR })?.words).not.toMatch(
      /wishes so|NaN|Infinity|undefined/,
    )
  })
})
