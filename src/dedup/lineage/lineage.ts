/**
 * The history of a text: who had it first, who followed after how long, from whom it was most likely taken, and what was
 * changed. Pure: members in, lineage out, without an index.
 */
import type { Instant, Millis } from '../../model/index.ts'
import { byTime } from '../groups/primary.ts'
import { type Text, toPlainItem } from '../plain-item.ts'
import { removeBrokenEntities } from '../sign/plain.ts'
import { signatureOf } from '../sign/signature.ts'
import { distance } from '../sign/simhash.ts'
import { type WordChange, wordDiff } from './word-diff.ts'

/** A member of a group, with its text and its publisher. */
export interface Saying extends Text {
  id: number
  at: Instant
  source?: string
}

export interface Lineage {
  first: Saying
  /** In order of time. */
  followers: Follower[]
}

export interface Follower {
  saying: Saying
  /** Time after the first. */
  afterMs: Millis
  /** The most similar earlier member; the earliest of ties. */
  from: number
  /** Number of differing SimHash bits. */
  distance: number
  title: WordChange[]
  summary: WordChange[]
}

/** Only the first members are considered as sources. */
const MOST_SOURCES = 100

/** Undefined without members. */
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
  const { title, text } = toPlainItem(saying)
  const { simhash } = signatureOf({ title, text })
  return { saying, simhash, title: boundedText(title), text: boundedText(text) }
}

function boundedText(text: string): string {
  return removeBrokenEntities(text.slice(0, LONGEST_SHOWN)).trim()
}

const LONGEST_SHOWN = 20_000
