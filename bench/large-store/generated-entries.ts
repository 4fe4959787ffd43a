/**
 * Generated entries, each a function of its number: ten days of feeds with ten entries per poll, with texts as long as real feeds'
 * summaries on average, or longer. A number gives the same entry in every store.
 */
import type { EntryDraft, EntryId, FeedId, Instant, Poll } from '../../src/model/index.ts'
import { createChance, createProse } from '../generated-prose.ts'

const DAY = 86_400_000
export const DAYS = 10
export const END = Date.UTC(2026, 0, 31) as Instant
export const BEGIN = (END - DAYS * DAY) as Instant
export const A_POLL = 10
const FEWEST_FEEDS = 200
const ENTRIES_A_FEED = 500
const PHRASES = 65_536
const SIGNATURE_BYTES = 130

export interface MadeUp {
  readonly entries: number
  readonly feeds: number
  /**
   * Entries of a round, in which each feed is polled once. The next round has the same entries under other numbers, so that a store can
   * copy them.
   */
  readonly round: number
  readonly chars: number
  /** Starts at 1. */
  feedOf(number: number): FeedId
  /** Date of publication and of arrival. */
  atOf(number: number): Instant
  draftOf(number: number): EntryDraft & { content: string; title: string; url: string; key: string }
  pollOf(number: number): Poll
}

export function madeUp(entries: number, chars: number): MadeUp {
  const feeds = Math.max(FEWEST_FEEDS, Math.floor(entries / ENTRIES_A_FEED))
  const prose = createProse(11)
  const phrases = Array.from({ length: PHRASES }, () => prose.words(8))
  const phrase = (drawn: number) => phrases[drawn % PHRASES]!
  /** All entries of a poll arrive together. */
  const atOf = (number: number) =>
    (BEGIN + Math.floor(((number - ((number - 1) % A_POLL)) / entries) * DAYS * DAY)) as Instant
  const feedOf = (number: number) => ((Math.floor((number - 1) / A_POLL) % feeds) + 1) as FeedId

  const round = feeds * A_POLL

  return {
    entries,
    feeds,
    round,
    chars,
    atOf,
    feedOf,

    draftOf(number) {
      const ofRound = (number - 1) % round
      let content = `${number}`
      for (let i = 1; content.length < chars; i++) content += ` ${phrase(Math.imul(ofRound, 7919 * i) >>> 8)}`
      return {
        key: `https://site${feedOf(number)}.example/news/${number}`,
        url: `https://site${feedOf(number)}.example/news/${number}`,
        title: phrase(Math.imul(ofRound, 104_729) >>> 8),
        publishedAt: atOf(number),
        content: content.slice(0, chars),
      }
    },

    pollOf(number) {
      const result = { kind: 'read', fresh: A_POLL, changed: 0, window: A_POLL, gap: false } as const
      return { feedId: feedOf(number), at: atOf(number), tookMs: 100, bytes: 900, conditional: true, result }
    },
  }
}

/** 64 bits that do not correlate with those of another number. */
export function simhashOf(number: number): bigint {
  const chance = createChance(number)
  return (BigInt(Math.floor(chance() * 2 ** 32)) << 32n) | BigInt(Math.floor(chance() * 2 ** 32))
}

/** As long as signatures of texts of that length; their content does not matter. */
export function signedOf(made: MadeUp, number: number, noise: Uint8Array) {
  const from = Math.imul(number, 7919 * SIGNATURE_BYTES) % (noise.length - SIGNATURE_BYTES)
  const signature = noise.subarray(Math.abs(from), Math.abs(from) + SIGNATURE_BYTES)
  return { id: number as EntryId, at: made.atOf(number), simhash: simhashOf(number), signature }
}
