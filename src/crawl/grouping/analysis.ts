/**
 * What is computed from texts beside the crawl: documents for the search index, and which entries are copies of each other or tell one
 * story. It has no store: batches of entries come in, and what is to be written goes out, in plain values. So it runs in a thread of
 * its own (analysis-thread.ts), or in process for short commands and tests.
 *
 * The similarity index is in memory only. It is built from the signatures in the store, under an id: after a crash the id is
 * unknown, and the caller builds it again.
 */
import { randomUUID } from 'node:crypto'
import { packSignature, plainSignature, signature } from '../../dedup/index.ts'
import { plainText } from '../../html/index.ts'
import { type ComparedBy, DAY, type Entry, type EntryId, type GroupLevel, type Instant } from '../../model/index.ts'
import type {
  KeptHabits,
  PlacedEntry,
  SearchDocument,
  StoredSignature,
  Unindexed,
  Unplaced,
} from '../../ports/index.ts'
import { type BatchHabits, type OwnWords, ownWords, type SaidEntry } from './boilerplate-removal.ts'
import { documentOf } from './search-document.ts'
import { createPlaceIndex, type Grouping, type PlaceIndex, type PlaceItem, WINDOWS_KEPT } from './similarity-indexes.ts'

export interface Analysis {
  documents(changes: Unindexed[]): Promise<DocumentsMade>
  /** Begins an empty index, in the place of any other, and answers its id. */
  createIndex(grouping: Grouping): Promise<string>
  /** Adds what the store has kept, in the order in which it was placed; answers which of them an earlier version of ours signed. */
  restore(indexId: string, level: GroupLevel, signatures: StoredSignature[], now: Instant): Promise<EntryId[]>
  /** Finds places, and remembers them; undefined if it has no index with that id. */
  place(indexId: string, batch: PlaceBatch): Promise<PlacedBatch | undefined>
}

/** A mistake that was made with one entry, which does not harm the others. */
export interface EntryMistake {
  doing: string
  error: unknown
}

export interface DocumentsMade {
  documents: SearchDocument[]
  mistakes: EntryMistake[]
}

export interface PlaceBatch {
  changes: Unplaced[]
  habits: BatchHabits
  now: Instant
}

export interface PlacedBatch {
  /** In the order of time, which is the order in which the store is to be told. */
  placed: PlacedEntry[]
  habits: KeptHabits[]
  mistakes: EntryMistake[]
}

/** The methods that a thread answers. */
export const ANALYSIS_METHODS = [
  'documents',
  'createIndex',
  'restore',
  'place',
] as const satisfies readonly (keyof Analysis)[]

const LONGEST_COMPARED = 20_000 // characters of an entry's HTML; its first words are compared

export function createAnalysis(): Analysis {
  let current: { id: string; index: PlaceIndex; grouping: Grouping } | undefined

  return {
    async documents(changes) {
      const { made, mistakes } = each(
        changes,
        ({ id }) => `reading entry ${id} for the index`,
        ({ entry, ...read }) => entry && documentOf(entry, read),
      )
      return { documents: made, mistakes }
    },

    async createIndex(grouping) {
      current = { id: randomUUID(), index: createPlaceIndex(grouping), grouping }
      return current.id
    },

    async restore(indexId, level, signatures, now) {
      return current?.id === indexId ? current.index.restore(level, signatures, now) : []
    },

    async place(indexId, { changes, habits: kept, now }) {
      if (current?.id !== indexId) return undefined
      const { index, grouping } = current
      const read = each(
        changes,
        ({ id }) => `reading entry ${id}`,
        ({ entry, text }) => entry && saidBy(entry, text),
      )
      const learnt = each([read.made], habitsDoing, (said) => ownWordsOf(said, kept, grouping))
      const { own, habits } = learnt.made[0] ?? { own: new Map(), habits: [] }
      const oldest = now - WINDOWS_KEPT * grouping.groupWindowMs
      // Said so long ago that nothing is known any more that could be compared with it: most of what a new feed shows.
      const signed = each(
        read.made.filter(({ at }) => at >= oldest),
        ({ id }) => `signing entry ${id}`,
        (said) => itemOf(said, own.get(said.id), grouping),
      )
      index.forget(changes.filter(({ wasPlaced }) => wasPlaced).map(({ id }) => id))
      const mistakes = [read, learnt, signed].flatMap((step) => step.mistakes)
      return { placed: index.place(signed.made), habits, mistakes }
    },
  }
}

const habitsDoing = (said: readonly Said[]) => `learning what ${said.length} entries share`

/** What `work` makes of each; who makes a mistake is left out. */
function each<One, Made>(
  all: readonly One[],
  doing: (one: One) => string,
  work: (one: One) => Made | undefined,
): { made: Made[]; mistakes: EntryMistake[] } {
  const made: Made[] = []
  const mistakes: EntryMistake[] = []
  for (const one of all)
    try {
      const result = work(one)
      if (result !== undefined) made.push(result)
    } catch (error) {
      mistakes.push({ doing: doing(one), error })
    }
  return { made, mistakes }
}

/** By plain SimHash texts are compared as they came. Where we cannot tell what is an entry's own, all of it is. */
function ownWordsOf(said: readonly Said[], kept: BatchHabits, { copies }: Grouping): OwnWords | undefined {
  return copies === 'simhash' ? undefined : ownWords(kept, said)
}

function itemOf(
  { id, at, title, brief, text, comparedBy }: Said,
  own = { title, text },
  { copies }: Grouping,
): PlaceItem {
  const signed = copies === 'simhash' ? plainSignature({ title, summary: brief }) : signature(own)
  return { ...own, id, at, comparedBy, signature: signed, packed: packSignature(signed) }
}

interface Said extends SaidEntry {
  /** Its description as it came, with its markup: what the founding paper compares. */
  brief: string
  comparedBy: ComparedBy
}

/** What the feed shows, until the article has been read; then that, if it says anything. */
function saidBy(entry: Entry, article = ''): Said {
  const { id, feedId, title } = entry
  const brief = entry.summary ?? entry.content ?? ''
  const text = article || plainText((entry.content ?? brief).slice(0, LONGEST_COMPARED))
  return { id, feedId, title, at: saidAt(entry), brief, text, comparedBy: article ? 'article' : 'entry' }
}

/** Who names a day and no time of day said it before that day was over; he is not taken for the first because of midnight. */
export function saidAt({ publishedAt, seenAt, dateOnly }: Entry): Instant {
  if (publishedAt === undefined) return seenAt
  return Math.min(seenAt, dateOnly ? publishedAt + DAY - 1 : publishedAt)
}
