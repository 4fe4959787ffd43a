/**
 * The features of an entry. Keys are readable, such as `feed:3` or `word:harbour`, so that a user can see and change what was learned. An
 * entry has at most some thirty features. Words and tags share a total, so that a long title does not count more than a short one.
 */
import { DAY, type FeedId, type Instant } from '../model/index.ts'

const FEATURE_KINDS = [
  'feed',
  'author',
  'tag',
  'word',
  'category',
  'language',
  'outlets',
  'known',
  'age',
  'length',
  'media',
] as const

export type FeatureKind = (typeof FEATURE_KINDS)[number]

/** What the ranking knows about an entry. */
export interface EntryFacts {
  feedId: FeedId
  publishedAt: Instant
  author?: string | undefined
  tags?: readonly string[] | undefined
  /** The words of the title that say what it is about, folded. */
  titleWords: readonly string[]
  category?: string | undefined
  language?: string | undefined
  /** Feeds that report the story, including this one. */
  outlets: number
  /** The user has read another report of its story. */
  isKnownStory?: boolean
  /** Length of the text in the feed, with markup. */
  characters: number
  /** The kind of its recording. */
  media?: 'audio' | 'video' | undefined
}

/** `value`: from 0 to about 1. */
export interface Feature {
  key: string
  value: number
}

export const MAX_KEY_LENGTH = 80
const MAX_AUTHORS = 3
const MAX_TAGS = 6
const MAX_WORDS = 12
/** Characters of a value in a key. With characters that JSON escapes, a model could become too large to store. */
const MAX_VALUE_LENGTH = 50
const ESCAPED = /["\\\p{Cc}\p{Cs}]/gu
/** In characters with markup: some hundred words, and some thousand. */
const SHORT_TEXT = 900
const LONG_TEXT = 9000
/** An entry of this age is half as new. */
const AGE_HALF_LIFE_MS = DAY / 2
/** This many outlets have the value 1. */
const MANY_OUTLETS = 8
const MAX_OUTLETS_VALUE = 1.5

/** `at`: when the entry is ranked, or was shown. */
export function featuresOf(facts: EntryFacts, at: Instant): Feature[] {
  const features: Feature[] = [{ key: `feed:${facts.feedId}`, value: 1 }]
  const add = (kind: FeatureKind, values: readonly string[], most: number) => {
    const written = kind === 'author' ? values.map(normalized) : values.map((value) => normalized(value).toLowerCase())
    const different = [...new Set(written)].filter((value) => value !== '').slice(0, most)
    for (const value of different) features.push({ key: `${kind}:${value}`, value: 1 / Math.sqrt(different.length) })
  }
  add('author', authorsIn(facts.author ?? ''), MAX_AUTHORS)
  add('tag', facts.tags ?? [], MAX_TAGS)
  add('word', facts.titleWords, MAX_WORDS)
  if (facts.category) add('category', [facts.category], 1)
  if (facts.language) add('language', [facts.language], 1)
  if (facts.media) add('media', [facts.media], 1)
  else if (facts.characters > 0 && facts.characters < SHORT_TEXT) add('length', ['short'], 1)
  else if (facts.characters > LONG_TEXT) add('length', ['long'], 1)
  if (facts.outlets > 1)
    features.push({
      key: 'outlets:many',
      value: Math.min(MAX_OUTLETS_VALUE, Math.log2(facts.outlets) / Math.log2(MANY_OUTLETS)),
    })
  if (facts.isKnownStory) features.push({ key: 'known:story', value: 1 })
  const newness = 2 ** (-Math.max(0, at - facts.publishedAt) / AGE_HALF_LIFE_MS)
  if (newness > 0.01) features.push({ key: 'age:new', value: newness })
  return features
}

/** Undefined if the key is not one that `featuresOf` returns. */
export function parseFeatureKey(key: string): { kind: FeatureKind; value: string } | undefined {
  const at = key.indexOf(':')
  const kind = FEATURE_KINDS.find((one) => one === key.slice(0, at))
  const value = key.slice(at + 1)
  return kind && value !== '' && key.length <= MAX_KEY_LENGTH ? { kind, value } : undefined
}

function authorsIn(author: string): string[] {
  return author.slice(0, 500).split(/[,;&]| and /)
}

function normalized(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFC')
    .replace(ESCAPED, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_VALUE_LENGTH)
    .trim()
}
