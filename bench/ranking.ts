/**
 * How well the "For you" ranking finds what readers want: `node bench/ranking.ts`. Generated readers with different tastes read a list that
 * is newest first: they look at its first entries, open those they like (and some that they do not), and skip the rest. Their sessions are
 * replayed: each session is ranked with what was learned before it, and judged by everything the reader would have liked in it, also
 * further down. Beside it: newest first, and the feeds that the reader opens most often. The same seeds give the same table.
 */
import { DAY, type EntryId, type FeedId, HOUR, type Instant } from '../src/model/index.ts'
import {
  compareRankings,
  contributionsOf,
  EMPTY_MODEL,
  type EntryFacts,
  featuresOf,
  learnExamples,
  MAX_FEATURES,
  NEUTRAL_PREFERENCES,
  packRanking,
  type ReplayedSession,
  scoreOf,
} from '../src/ranking/index.ts'
import { commit } from './current-commit.ts'
import { createChance } from './generated-prose.ts'

const READERS = 20
const SESSIONS = 60
const LEARNING = 10
const FEEDS = 30
const ENTRIES = 80
/** Of a session, from the top of the list. */
const LOOKED_AT = 40
/** A reader opens this share of the entries they do not like, and leaves this share of those they like. */
const NOISE = 0.05
const LEFT = 0.2
const START = Date.UTC(2026, 0, 1)

const TOPICS = 12
const WORDS_OF_TOPIC = 60
const AUTHORS = 40

interface World {
  chance: () => number
  entry(at: Instant): EntryFacts & { topic: number }
}

/** Whether a reader likes an entry, in a session from 0 to 1 of their time. */
type Taste = (entry: EntryFacts & { topic: number }, progress: number) => boolean

/** Tastes of a reader with this number. */
const TASTES: Record<string, (reader: number) => Taste> = {
  'three feeds':
    (reader) =>
    ({ feedId }) =>
      feedId % 10 === reader % 10,
  'two topics':
    (reader) =>
    ({ topic }) =>
      topic === reader % TOPICS || topic === (reader + 5) % TOPICS,
  'four authors':
    (reader) =>
    ({ author = '' }) =>
      Number(author.slice(7)) % 10 === reader % 10,
  'large stories':
    () =>
    ({ outlets }) =>
      outlets >= 4,
  'a topic in some feeds':
    (reader) =>
    ({ topic, feedId }) =>
      topic === reader % TOPICS || (feedId % 5 === reader % 5 && topic === (reader + 1) % TOPICS),
  'a new topic after half of the time':
    (reader) =>
    ({ topic }, progress) =>
      topic === (progress < 0.5 ? reader : reader + 6) % TOPICS,
}

const columns = ['newest', 'feeds', 'personal'] as const

function report(): void {
  console.log(
    `commit ${commit()}, node ${process.version}; ${READERS} readers for each taste, ${SESSIONS} sessions of ${ENTRIES} entries from`,
  )
  console.log(`${FEEDS} feeds, ${LOOKED_AT} looked at; judged from session ${LEARNING + 1}\n`)
  console.log(`${''.padEnd(36)}precision@10${''.padEnd(21)}NDCG@20`)
  console.log('what the reader likes'.padEnd(36) + [...columns, ...columns].map((name) => name.padEnd(11)).join(''))
  for (const [name, tasteOf] of Object.entries(TASTES)) {
    const results = Array.from({ length: READERS }, (_, reader) =>
      compareRankings(sessionsOf(tasteOf(reader), reader), { untilSession: LEARNING }),
    )
    const mean = (part: 'precisionAt10' | 'ndcgAt20') =>
      columns.map((method) => results.reduce((sum, { quality }) => sum + quality[method][part], 0) / READERS)
    const cells = [...mean('precisionAt10'), ...mean('ndcgAt20')].map((value) => value.toFixed(2).padEnd(11))
    console.log(name.padEnd(36) + cells.join(''))
  }
  reportCost()
}

function sessionsOf(taste: Taste, reader: number): ReplayedSession[] {
  const world = createWorld(reader + 1)
  let nextId = 1
  return Array.from({ length: SESSIONS }, (_, n): ReplayedSession => {
    const at = START + n * (DAY / 2)
    const entries = Array.from({ length: ENTRIES }, () => world.entry(at)).sort((a, b) => b.publishedAt - a.publishedAt)
    const liked = entries.map((entry) => taste(entry, n / SESSIONS))
    const opened = liked.map((isLiked, i) => i < LOOKED_AT && world.chance() < (isLiked ? 1 - LEFT : NOISE))
    const last = opened.lastIndexOf(true)
    return {
      at,
      entries: entries.map((facts, i) => {
        const example = { at: at + i * 1000, isLiked: opened[i]!, weight: opened[i] ? 1 : 0.5 }
        return { id: nextId++ as EntryId, facts, isLiked: liked[i]!, examples: i <= last ? [example] : [] }
      }),
    }
  })
}

/** Each feed has some topics, each topic its words and authors; words of other topics and of all topics are in every title. */
function createWorld(seed: number): World {
  const chance = createChance(seed)
  const below = (count: number) => Math.floor(chance() * count)
  const zipf = (count: number) => Math.floor(count ** chance()) - 1
  const word = (topic: number) => `t${topic}w${zipf(WORDS_OF_TOPIC)}`
  return {
    chance,
    entry(at) {
      const feed = below(FEEDS)
      const topic = chance() < 0.7 ? (feed * 5 + below(3)) % TOPICS : below(TOPICS)
      const own = Array.from({ length: 3 }, () => word(topic))
      const others = [word(below(TOPICS)), ...Array.from({ length: 2 }, () => `w${zipf(2000)}`)]
      return {
        topic,
        feedId: (feed + 1) as FeedId,
        publishedAt: at - Math.floor(chance() * 12 * HOUR),
        author: `author ${(feed * 7 + below(4)) % AUTHORS}`,
        tags: [],
        titleWords: [...own, ...others],
        category: chance() < 0.8 ? `category ${topic % 6}` : undefined,
        language: 'en',
        outlets: 1 + Math.floor(8 * chance() ** 6),
        characters: 500 + Math.floor(chance() * 10_000),
      }
    },
  }
}

/** What one example and one entry cost with a full model, and how large the model is when stored. */
function reportCost(): void {
  const world = createWorld(99)
  const at = START
  const examples = Array.from({ length: 5000 }, (_, i) => ({
    features: featuresOf(world.entry(at), at),
    isLiked: i % 4 === 0,
    weight: 1,
    at,
  }))
  let model = EMPTY_MODEL
  const learnMs = timed(() => {
    for (let i = 0; i < examples.length; i += 20) model = learnExamples(model, examples.slice(i, i + 20))
  })
  const entries = Array.from({ length: 5000 }, () => world.entry(at))
  const known = { model, preferences: NEUTRAL_PREFERENCES, at }
  const scoreMs = timed(() => {
    for (const entry of entries) scoreOf(contributionsOf(featuresOf(entry, at), known), model, at)
  })
  const bytes = JSON.stringify(packRanking({ model, preferences: NEUTRAL_PREFERENCES, isOff: false })).length
  console.log(`\nlearning, in batches of 20: ${((1000 * learnMs) / examples.length).toFixed(0)} us an example`)
  console.log(`scoring: ${((1000 * scoreMs) / entries.length).toFixed(0)} us an entry`)
  console.log(`a model of ${model.weights.size} weights (at most ${MAX_FEATURES}): ${(bytes / 1000).toFixed(0)} kB`)
}

function timed(act: () => void): number {
  const before = performance.now()
  act()
  return performance.now() - before
}

report()
