/**
 * The life of a text: who had it first, who followed after how long, from whom it was most likely taken, and what was
 * changed on the way. Pure: sayings in, lineage out; it asks nothing of an index.
 */
import type { Instant, Millis } from '../../model/index.ts'
import { byTime } from '../groups/primary.ts'
import { said, type Text } from '../said.ts'
import { withoutRemains } from '../sign/plain.ts'
import { signatureOf } from '../sign/signature.ts'
import { distance } from '../sign/simhash.ts'
import { type WordChange, wordDiff } from './word-diff.ts'

/** One member of a group, with its text and with whoever published it. */
export interface Saying extends Text {
  id: number
  at: Instant
  source?: string
}

export interface Lineage {
  first: Saying
  /** In the order of time. */
  followers: Follower[]
}

export interface Follower {
  saying: Saying
  /** After the first. */
  afterMs: Millis
  /** The earlier saying that it is nearest to; the earliest of those. */
  from: number
  /** Bits in which their SimHashes differ. */
  distance: number
  title: WordChange[]
  summary: WordChange[]
}

/** Only so many of the first sayings are taken for somebody's source. */
const MOST_SOURCES = 100

/** Undefined if there are no sayings. */
export function lineage(sayings: readonly Saying[]): Lineage | undefined {
  const [first, ...later] = [...sayings].sort(byTime)
  if (!first) return undefined
  const sources = [readOnce(first)]
  const followers = later.map((saying): Follower => {
    const own = readOnce(saying)
    const from = sources.reduce((near, one) =>
      distance(one.simhash, own.simhash) < distance(near.simhash, own.simhash) ? one : near,
    )
    if (sources.length < MOST_SOURCES) sources.push(own)
    return {
      saying,
      afterMs: saying.at - first.at,
      from: from.saying.id,
      distance: distance(from.simhash, own.simhash),
      title: wordDiff(from.title, own.title),
      summary: wordDiff(from.text, own.text),
    }
  })
  return { first, followers }
}

function readOnce(saying: Saying) {
  const { title, text } = said(saying)
  const { simhash } = signatureOf({ title, text })
  return { saying, simhash, title: shown(title), text: shown(text) }
}

function shown(text: string): string {
  return withoutRemains(text.slice(0, LONGEST_SHOWN)).trim()
}

const LONGEST_SHOWN = 20_000
