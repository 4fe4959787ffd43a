import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, type EntryId, type FeedId, HOUR, type Instant } from '../model/index.ts'
import {
  addSignal,
  arrange,
  compareRankings,
  contributionsOf,
  EMPTY_MODEL,
  type EntryFacts,
  examplesOf,
  featuresOf,
  learnExamples,
  MAX_FEATURES,
  MAX_KEY_LENGTH,
  MAX_PREFERENCES,
  mostInfluential,
  NEUTRAL_PREFERENCES,
  type Preferences,
  packRanking,
  parseFeatureKey,
  type RankingModel,
  type SIGNALS,
  scoreOf,
  unpackRanking,
  withPreference,
} from './index.ts'

const NOW = Date.UTC(2026, 4, 1)

const facts = (more: Partial<EntryFacts> = {}): EntryFacts => ({
  feedId: 1 as FeedId,
  publishedAt: NOW - HOUR,
  titleWords: [],
  outlets: 1,
  characters: 3000,
  ...more,
})

const scored = (
  entry: EntryFacts,
  model: RankingModel,
  { at = NOW, preferences = NEUTRAL_PREFERENCES }: { at?: Instant; preferences?: Preferences } = {},
) => scoreOf(contributionsOf(featuresOf(entry, at), { model, preferences, at }), model, at)

const example = (entry: EntryFacts, isLiked: boolean, at = NOW) => ({
  features: featuresOf(entry, at),
  isLiked,
  weight: 1,
  at,
})

const anyFacts = fc.record({
  feedId: fc.integer({ min: 1, max: 50 }).map((id) => id as FeedId),
  publishedAt: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
  author: fc.option(fc.string(), { nil: undefined }),
  tags: fc.option(fc.array(fc.string(), { maxLength: 10 }), { nil: undefined }),
  titleWords: fc.array(fc.string(), { maxLength: 30 }),
  category: fc.option(fc.constantFrom('science', 'sports'), { nil: undefined }),
  language: fc.option(fc.constantFrom('en', 'de'), { nil: undefined }),
  outlets: fc.integer({ min: 1, max: 200 }),
  characters: fc.integer({ min: 0, max: 500_000 }),
  media: fc.option(fc.constantFrom('audio' as const, 'video' as const), { nil: undefined }),
})
const anyExample = fc.record({
  entry: anyFacts,
  isLiked: fc.boolean(),
  weight: fc.constantFrom(0.1, 0.5, 1, 2),
  at: fc.integer({ min: NOW, max: NOW + 100 * DAY }),
})
const learnedFrom = (history: readonly { entry: EntryFacts; isLiked: boolean; weight: number; at: Instant }[]) =>
  learnExamples(
    EMPTY_MODEL,
    history.map(({ entry, ...rest }) => ({ ...rest, features: featuresOf(entry, rest.at) })),
  )

describe('features', () => {
  it('are few, with short keys that can be parsed, and values up to 1.5', () => {
    fc.assert(
      fc.property(anyFacts, (entry) => {
        const features = featuresOf(entry, NOW)
        expect(features.length).toBeLessThan(32)
        expect(new Set(features.map(({ key }) => key)).size).toBe(features.length)
        for (const { key, value } of features) {
          expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH)
          expect(parseFeatureKey(key)).toBeDefined()
          expect(value).toBeGreaterThan(0)
          expect(value).toBeLessThanOrEqual(1.5)
        }
      }),
    )
  })

  it('split authors, and ignore spaces', () => {
    const keys = featuresOf(facts({ author: 'Ada  Lovelace, Mary Somerville and Ada Lovelace ' }), NOW).map(
      ({ key }) => key,
    )
    expect(keys.filter((key) => key.startsWith('author:'))).toEqual(['author:Ada Lovelace', 'author:Mary Somerville'])
  })

  it.each(['', 'feed', 'feed:', 'mood:good', `word:${'x'.repeat(100)}`])('reject the key %j', (key) => {
    expect(parseFeatureKey(key)).toBeUndefined()
  })
})

describe('the model', () => {
  it('puts new entries and large stories first before it has learned anything', () => {
    const old = scored(facts({ publishedAt: NOW - 3 * DAY }), EMPTY_MODEL)!
    expect(scored(facts(), EMPTY_MODEL)).toBeGreaterThan(old)
    expect(scored(facts({ publishedAt: NOW - 3 * DAY, outlets: 6 }), EMPTY_MODEL)).toBeGreaterThan(old)
  })

  it.each([
    ['a feed', { feedId: 2 as FeedId }],
    ['an author', { author: 'Ada Lovelace' }],
    ['a word', { titleWords: ['harbour'] }],
    ['a tag', { tags: ['Engines'] }],
    ['a category', { category: 'science' }],
    ['recordings', { media: 'audio' as const }],
  ])('learns %s', (_, liked) => {
    const examples = Array.from({ length: 10 }, () => [example(facts(liked), true), example(facts(), false)]).flat()
    const model = learnExamples(EMPTY_MODEL, examples)
    expect(scored(facts(liked), model)! - scored(facts(), model)!).toBeGreaterThan(0.5)
  })

  it('ranks an entry higher after it was liked, and lower after it was not, whatever it knew before', () => {
    fc.assert(
      fc.property(fc.array(anyExample, { maxLength: 30 }), anyFacts, (history, entry) => {
        const model = learnedFrom(history)
        const at = NOW + 100 * DAY
        const before = scored(entry, model, { at })!
        expect(scored(entry, learnExamples(model, [example(entry, true, at)]), { at })).toBeGreaterThan(before)
        expect(scored(entry, learnExamples(model, [example(entry, false, at)]), { at })).toBeLessThan(before)
      }),
    )
  })

  it('is the same for the same examples', () => {
    fc.assert(
      fc.property(fc.array(anyExample, { maxLength: 30 }), (history) => {
        expect(learnedFrom(history)).toEqual(learnedFrom(history))
      }),
    )
  })

  it('never has more weights than its limit, and forgets the smallest first', () => {
    let model = learnExamples(
      EMPTY_MODEL,
      Array.from({ length: 20 }, () => example(facts({ feedId: 7 as FeedId }), true)),
    )
    for (let i = 0; i < 1000; i++) {
      const words = Array.from({ length: 10 }, (_, n) => `w${i}x${n}`)
      model = learnExamples(model, [example(facts({ titleWords: words }), i % 3 === 0)])
      expect(model.weights.size).toBeLessThanOrEqual(MAX_FEATURES)
    }
    expect(model.weights.has('feed:7')).toBe(true)
    expect(model.weights.has('word:w0x0')).toBe(false)
  })

  it('forgets half of what it has learned in sixty days', () => {
    const model = learnExamples(
      EMPTY_MODEL,
      Array.from({ length: 10 }, () => example(facts({ titleWords: ['harbour'] }), true)),
    )
    const amount = (at: Instant) =>
      contributionsOf([{ key: 'word:harbour', value: 1 }], { model, preferences: NEUTRAL_PREFERENCES, at })[0]!.amount
    expect(amount(NOW + 60 * DAY)).toBeCloseTo(amount(NOW) / 2)
  })

  it('stays finite with extreme histories', () => {
    const liked = Array.from({ length: 5000 }, () => example(facts(), true))
    const score = scored(facts(), learnExamples(EMPTY_MODEL, liked))!
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(20)
  })

  it('is stored as small JSON, and read again', () => {
    fc.assert(
      fc.property(fc.array(anyExample, { maxLength: 30 }), anyFacts, (history, entry) => {
        const preferences = withPreference(NEUTRAL_PREFERENCES, 'feed:1', 'less')
        const packed = JSON.stringify(packRanking({ model: learnedFrom(history), preferences, isOff: true }))
        const unpacked = unpackRanking(JSON.parse(packed))
        expect(scored(entry, unpacked.model)).toBeCloseTo(scored(entry, learnedFrom(history))!, 1)
        expect(unpacked).toMatchObject({ preferences, isOff: true })
      }),
    )
  })

  it.each([undefined, null, 3, 'x', {}, { version: 1, weights: [['feed:1', 'x', 0, 0], 5] }])(
    'is empty if %j is stored',
    (stored) => {
      expect(unpackRanking(stored)).toEqual({ model: EMPTY_MODEL, preferences: NEUTRAL_PREFERENCES, isOff: false })
    },
  )
})

describe('preferences', () => {
  const withHarbour = facts({ titleWords: ['harbour'] })
  const preferring = (to: 'more' | 'less' | 'never') => withPreference(NEUTRAL_PREFERENCES, 'word:harbour', to)

  it('raise, lower or exclude entries, whatever was learned', () => {
    for (const isLiked of [true, false]) {
      const model = learnExamples(
        EMPTY_MODEL,
        Array.from({ length: 30 }, () => example(withHarbour, isLiked)),
      )
      const other = scored(facts(), model)!
      expect(scored(withHarbour, model, { preferences: preferring('more') })).toBeGreaterThan(other + 1)
      expect(scored(withHarbour, model, { preferences: preferring('less') })).toBeLessThan(other - 1)
      expect(scored(withHarbour, model, { preferences: preferring('never') })).toBeUndefined()
    }
  })

  it('are listed among the strongest weights', () => {
    const [first] = mostInfluential({ model: EMPTY_MODEL, preferences: preferring('more'), at: NOW }, 10)
    expect(first).toEqual({ key: 'word:harbour', amount: 2, learned: 0, preference: 'more' })
  })

  it('can be removed, and are limited, the oldest first', () => {
    expect(withPreference(preferring('more'), 'word:harbour', undefined)).toEqual(NEUTRAL_PREFERENCES)
    let many = preferring('more')
    for (let i = 0; i < MAX_PREFERENCES; i++) many = withPreference(many, `word:w${i}`, 'less')
    expect(many.size).toBe(MAX_PREFERENCES)
    expect(many.has('word:harbour')).toBe(false)
  })
})

describe('signals', () => {
  it('count once each', () => {
    const opened = addSignal({}, 'opened', 1)!
    expect(opened).toEqual({ opened: 1 })
    expect(addSignal(opened, 'opened', 2)).toBeUndefined()
  })

  it.each(['skipped', 'dismissed', 'cleared'] as const)('%s means nothing once an entry was opened', (signal) => {
    expect(addSignal({ opened: 1 }, signal, 2)).toBeUndefined()
  })

  it('an entry that was skipped can still be opened', () => {
    expect(examplesOf(addSignal({ skipped: 1 }, 'opened', 2)!).map(({ isLiked }) => isLiked)).toEqual([false, true])
  })

  it('a cleared list is weak evidence', () => {
    const weightOf = (signal: (typeof SIGNALS)[number]) => examplesOf({ [signal]: 1 })[0]!.weight
    expect(weightOf('cleared') * 5).toBeLessThanOrEqual(weightOf('skipped'))
    expect(weightOf('starred')).toBeGreaterThan(weightOf('opened'))
  })
})

describe('the arrangement', () => {
  const entry = (id: number, feedId: number, score: number, storyId?: number) => ({
    id: id as EntryId,
    feedId: feedId as FeedId,
    score,
    storyId,
  })

  it('lists the best first', () => {
    expect(arrange([entry(1, 1, -1), entry(2, 2, 2), entry(3, 3, 1)], 9).map(({ id }) => id)).toEqual([2, 3, 1])
  })

  it('lists each story once, by its best entry', () => {
    const ids = arrange([entry(1, 1, 1, 5), entry(2, 2, 2, 5), entry(3, 3, 0)], 9).map(({ id }) => id)
    expect(ids).toEqual([2, 3])
  })

  it('has at most two entries of a feed in a row while others are left, and all that fit', () => {
    const anyEntries = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.double({ min: -5, max: 5, noNaN: true })), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(anyEntries, fc.integer({ min: 1, max: 50 }), (rows, limit) => {
        const entries = rows.map(([feedId, score], i) => entry(i, feedId, score))
        const arranged = arrange(entries, limit)
        expect(arranged.length).toBe(Math.min(limit, entries.length))
        const rest = new Set(entries)
        for (const [i, one] of arranged.entries()) {
          const isThird = i > 1 && arranged[i - 1]!.feedId === one.feedId && arranged[i - 2]!.feedId === one.feedId
          if (isThird) expect([...rest].every(({ feedId }) => feedId === one.feedId)).toBe(true)
          rest.delete(one)
        }
      }),
    )
  })
})

describe('the comparison', () => {
  it('is won by what was learned if the reader has a taste', () => {
    const sessions = Array.from({ length: 20 }, (_, n) => {
      const at = NOW + n * DAY
      const entries = Array.from({ length: 20 }, (_, i) => {
        const isLiked = i % 5 === n % 5
        return {
          id: (n * 20 + i) as EntryId,
          facts: facts({
            feedId: ((i % 7) + 1) as FeedId,
            publishedAt: at - i * HOUR,
            titleWords: [isLiked ? 'harbour' : 'weather'],
          }),
          isLiked,
          examples: [{ isLiked, weight: 1, at }],
        }
      })
      return { at, entries }
    })
    const { sessions: judged, quality } = compareRankings(sessions, { untilSession: 5 })
    expect(judged).toBe(15)
    expect(quality.personal.precisionAt10).toBeGreaterThan(0.9)
    expect(quality.personal.ndcgAt20).toBeGreaterThan(quality.newest.ndcgAt20 + 0.2)
  })

  it('judges no session in which everything or nothing was liked', () => {
    const at = NOW
    const entries = [{ id: 1 as EntryId, facts: facts(), isLiked: true, examples: [] }]
    expect(
      compareRankings([
        { at, entries },
        { at, entries: [] },
      ]),
    ).toMatchObject({ sessions: 0, quality: { newest: { ndcgAt20: 0 } } })
  })
})
