/**
 * Computations on texts: documents for the search index, and groups of entries that are copies or tell one story. It has no store: it gets
 * batches of entries and returns what to write, as plain values. So it runs in a thread (analysis-thread.ts), or in process for short
 * commands and tests.
 *
 * The similarity indexes are in memory only. They are built from stored signatures and have an id; after a crash of the thread the id is
 * unknown, and the caller builds them again.
 */
import { randomUUID } from 'node:crypto'
import { packSignature, plainSignature, signature } from '../../dedup/index.ts'
import { plainText } from '../../html/index.ts'
import { type ComparedBy, DAY, type Entry, type EntryId, type GroupLevel, type Instant } from '../../model/index.ts'
import type {
  FeedBoilerplate,
  GroupedEntry,
  SearchDocument,
  StoredSignature,
  UngroupedEntry,
  UnindexedEntry,
} from '../../ports/index.ts'
import { type BatchBoilerplate, type EntryText, type OwnTexts, removeBoilerplate } from './boilerplate-removal.ts'
import { searchDocumentOf } from './search-document.ts'
import {
  createSimilarityIndexes,
  type Grouping,
  MAX_WINDOWS,
  type SimilarityIndexes,
  type SimilarityItem,
} from './similarity-indexes.ts'

export interface Analysis {
  documents(changes: UnindexedEntry[]): Promise<DocumentsResult>
  /** Replaces the indexes by empty ones and returns their id. */
  createIndex(grouping: Grouping): Promise<string>
  /** Adds stored signatures, in their original order. Returns the entries that an earlier version signed. */
  restore(indexId: string, level: GroupLevel, signatures: StoredSignature[], now: Instant): Promise<EntryId[]>
  /** Groups entries and adds them to the indexes; undefined if there are no indexes with that id. */
  group(indexId: string, batch: GroupBatch): Promise<GroupedBatch | undefined>
}

/** An internal error on one entry; it does not affect the others. */
export interface EntryError {
  doing: string
  error: unknown
}

export interface DocumentsResult {
  documents: SearchDocument[]
  errors: EntryError[]
}

export interface GroupBatch {
  changes: UngroupedEntry[]
  boilerplate: BatchBoilerplate
  now: Instant
}

export interface GroupedBatch {
  /** In order of time, in which the store has to apply them. */
  grouped: GroupedEntry[]
  boilerplate: FeedBoilerplate[]
  errors: EntryError[]
}

/** The methods that can be called in a thread. */
export const ANALYSIS_METHODS = [
  'documents',
  'createIndex',
  'restore',
  'group',
] as const satisfies readonly (keyof Analysis)[]

const MAX_COMPARED = 20_000 // characters of an entry's HTML; its first words are compared

export function createAnalysis(): Analysis {
  let current: { id: string; index: SimilarityIndexes; grouping: Grouping } | undefined

  return {
    async documents(changes) {
      const { results, errors } = mapEach(
        changes,
        ({ id }) => `reading entry ${id} for the index`,
        ({ entry, ...article }) => entry && searchDocumentOf(entry, article),
      )
      return { documents: results, errors }
    },

    async createIndex(grouping) {
      current = { id: randomUUID(), index: createSimilarityIndexes(grouping), grouping }
      return current.id
    },

    async restore(indexId, level, signatures, now) {
      return current?.id === indexId ? current.index.restore(level, signatures, now) : []
    },

    async group(indexId, { changes, boilerplate: stored, now }) {
      if (current?.id !== indexId) return undefined
      const { index, grouping } = current
      const compared = mapEach(
        changes,
        ({ id }) => `reading entry ${id}`,
        ({ entry, text }) => entry && comparedTextOf(entry, text),
      )
      const cleaned = mapEach([compared.results], learningBoilerplate, (texts) => ownTextsOf(texts, stored, grouping))
      const { own, boilerplate } = cleaned.results[0] ?? { own: new Map(), boilerplate: [] }
      const minTime = now - MAX_WINDOWS * grouping.groupWindowMs
      // Older entries are not compared: the indexes have no entries of their time. Most entries of a new feed are older.
      const signed = mapEach(
        compared.results.filter(({ at }) => at >= minTime),
        ({ id }) => `signing entry ${id}`,
        (text) => itemOf(text, own.get(text.id), grouping),
      )
      index.forget(changes.filter(({ wasGrouped }) => wasGrouped).map(({ id }) => id))
      const errors = [compared, cleaned, signed].flatMap((step) => step.errors)
      return { grouped: index.group(signed.results), boilerplate, errors }
    },
  }
}

const learningBoilerplate = (texts: readonly ComparedText[]) => `learning the boilerplate of ${texts.length} entries`

/** Applies `work` to each item. Items on which it throws are left out and reported. */
function mapEach<One, Result>(
  all: readonly One[],
  doing: (one: One) => string,
  work: (one: One) => Result | undefined,
): { results: Result[]; errors: EntryError[] } {
  const results: Result[] = []
  const errors: EntryError[] = []
  for (const one of all)
    try {
      const result = work(one)
      if (result !== undefined) results.push(result)
    } catch (error) {
      errors.push({ doing: doing(one), error })
    }
  return { results, errors }
}

/** Texts without boilerplate. Undefined with plain SimHashes, which compare texts as they are. */
function ownTextsOf(
  texts: readonly ComparedText[],
  stored: BatchBoilerplate,
  { copies }: Grouping,
): OwnTexts | undefined {
  return copies === 'simhash' ? undefined : removeBoilerplate(stored, texts)
}

function itemOf(
  { id, at, title, description, text, comparedBy }: ComparedText,
  own = { title, text },
  { copies }: Grouping,
): SimilarityItem {
  const signed = copies === 'simhash' ? plainSignature({ title, summary: description }) : signature(own)
  return { ...own, id, at, comparedBy, signature: signed, packed: packSignature(signed) }
}

interface ComparedText extends EntryText {
  /** The description with its markup: what the original paper compares. */
  description: string
  comparedBy: ComparedBy
}

/** The text of the feed until the article has been read; then the article's text, unless it is empty. */
function comparedTextOf(entry: Entry, article = ''): ComparedText {
  const { id, feedId, title } = entry
  const description = entry.summary ?? entry.content ?? ''
  const text = article || plainText((entry.content ?? description).slice(0, MAX_COMPARED))
  return { id, feedId, title, at: publicationTime(entry), description, text, comparedBy: article ? 'article' : 'entry' }
}

/** Publication time of an entry. A date without a time counts as the end of that day, so that midnight does not make it the first. */
export function publicationTime({ publishedAt, seenAt, dateOnly }: Entry): Instant {
  if (publishedAt === undefined) return seenAt
  return Math.min(seenAt, dateOnly ? publishedAt + DAY - 1 : publishedAt)
}
