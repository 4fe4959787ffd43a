/**
 * Writes thousands of new entries in chunks, between which other work can run. The last chunk contains the validators and hashes that make
 * the next poll conditional, so a crash in between costs another full poll, but no entry. Daily limits per feed apply to polls and
 * pushes together; entries over the limit are not stored, and the next poll reads the document again.
 */
import { DAY, type EntryDraft, type FeedId } from '../../model/index.ts'
import type {
  EntriesRecord,
  EntryChanges,
  FeedChange,
  PollRecord,
  PollRecordDraft,
  PollResults,
  RecordResult,
  Roles,
} from '../../ports/index.ts'
import type { RetryTransient } from '../retried-steps.ts'
import type { CommittedWrites } from './committed-writes.ts'

/** Entries in a chunk: written in some milliseconds, in ten in a store of millions. A long entry counts as several. */
const CHUNK = 100
const CHARACTERS_PER_UNIT = 2000
/** New entries of one feed: twice the largest document, and more than any publisher writes. */
export const MAX_ENTRIES_PER_DAY = 20_000
/** Articles of one feed: more than a newsroom writes, and one hour of requests to its domain at the default gap. */
export const MAX_ARTICLES_PER_DAY = 2000
/** Makes the next poll unconditional. */
export const FORCE_FULL_READ: FeedChange = { validators: {}, bodyHash: null, windowHash: null }

export function isLarge({ fresh, changed }: EntryChanges): boolean {
  let capacity = CHUNK
  for (const entries of [fresh, changed])
    for (const entry of entries) {
      capacity -= weightOfEntry(entry)
      if (capacity < 0) return true
    }
  return false
}

/** Splits items into chunks of limited total weight. */
export function chunksOf<One>(all: readonly One[], weightOf: (one: One) => number): One[][] {
  const chunks: One[][] = []
  let capacity = 0
  for (const one of all) {
    const weight = weightOf(one)
    if (chunks.length === 0 || weight > capacity) {
      chunks.push([])
      capacity = CHUNK
    }
    chunks.at(-1)!.push(one)
    capacity -= weight
  }
  return chunks
}

/** The cost of writing, in units of a short entry. */
export function weightOf({ fresh, changed }: EntryChanges): number {
  let weight = 0
  for (const entry of fresh) weight += weightOfEntry(entry)
  for (const entry of changed) weight += weightOfEntry(entry)
  return weight
}

function weightOfEntry({ title, summary = '', content = '' }: EntryDraft): number {
  return Math.max(1, (title.length + summary.length + content.length) / CHARACTERS_PER_UNIT)
}

/** The entries of a poll record, without the poll. */
export function newsOf(
  { poll, keyChanges, completed, fresh, changed, articles }: PollRecordDraft,
  feedId: FeedId,
): EntriesRecord {
  return {
    feedId,
    at: poll.at,
    ...(keyChanges && { keyChanges }),
    ...(completed && { completed }),
    fresh,
    changed,
    ...(articles && { articles }),
  }
}

/** What writing needs: each chunk is a retried step of its own. */
export interface ChunkWrites {
  pollResults: Pick<PollResults, 'recordEntries'>
  committedWrites: Pick<CommittedWrites, 'recordPolls'>
  retryTransient: RetryTransient
}

export async function recordInChunks(writes: ChunkWrites, record: PollRecord): Promise<RecordResult> {
  if (!isLarge(record)) return recordWhole(writes, record)
  const { feedId, at, ...news } = newsOf(record, record.poll.feedId)
  const chunks = chunksOfNews(news)
  const last = chunks.pop()
  for (const chunk of chunks) await recordChunk(writes, { feedId, at, ...chunk })
  return recordWhole(writes, { ...record, ...last })
}

/** Records entries without a poll, in chunks. */
export async function recordNewsInChunks(writes: NewsWrites, { feedId, at, ...news }: EntriesRecord): Promise<void> {
  const chunks = isLarge(news) ? chunksOfNews(news) : [news]
  for (const chunk of chunks) await recordChunk(writes, { feedId, at, ...chunk })
}

type NewsWrites = Pick<ChunkWrites, 'pollResults' | 'retryTransient'>

async function recordWhole({ committedWrites }: ChunkWrites, record: PollRecord): Promise<RecordResult> {
  const [answer = 'void'] = await committedWrites.recordPolls([record])
  return answer
}

async function recordChunk({ pollResults, retryTransient }: NewsWrites, chunk: EntriesRecord): Promise<void> {
  await retryTransient('record entries', () => pollResults.recordEntries([chunk]))
}

/** From the end of the document, where the oldest entries are, to the newest. */
function chunksOfNews({
  keyChanges = [],
  completed = [],
  fresh,
  changed,
  articles = [],
}: EntryChanges): Required<EntryChanges>[] {
  const pageOf = new Map(articles.map((page) => [page.key, page]))
  const freshChunks = chunksOf(fresh.toReversed(), weightOfEntry).map((entries) => entries.reverse())
  const newest = freshChunks.pop() ?? []
  const parts = [
    ...freshChunks.map((entries) => ({ fresh: entries, changed: [] })),
    ...chunksOf(changed, weightOfEntry).map((entries) => ({ fresh: [], changed: entries })),
    { fresh: newest, changed: [] },
  ]
  return parts.map((part, i) => ({
    ...part,
    keyChanges: i === 0 ? keyChanges : [],
    completed: i === 0 ? completed : [],
    articles: [...part.fresh, ...part.changed].flatMap(({ key }) => pageOf.get(key) ?? []),
  }))
}

/**
 * Splits the record of a first poll, which creates the feed. The first part has the newest entries and nothing that makes the next poll
 * conditional; that comes with the rest.
 */
export function firstChunk(record: PollRecordDraft): { first: PollRecordDraft; rest?: PollRecordDraft } {
  if (!isLarge(record)) return { first: record }
  const { validators: _v, bodyHash: _b, windowHash: _w, ...feed } = record.feed ?? {}
  const [fresh = []] = chunksOf(record.fresh, weightOfEntry)
  const keys = new Set(fresh.map(({ key }) => key))
  const articles = record.articles?.filter(({ key }) => keys.has(key)) ?? []
  return { first: { ...record, fresh, feed, articles }, rest: { ...record, fresh: record.fresh.slice(fresh.length) } }
}

export async function recordRest(
  writes: NewsWrites & Pick<Roles, 'feedRegistry'>,
  feedId: FeedId,
  rest: PollRecordDraft,
): Promise<void> {
  await recordNewsInChunks(writes, newsOf(rest, feedId))
  const { validators, bodyHash, windowHash } = rest.feed ?? {}
  const change = {
    ...(validators && { validators }),
    ...(bodyHash && { bodyHash }),
    ...(windowHash && { windowHash }),
  }
  await writes.retryTransient('change a feed', () => writes.feedRegistry.changeFeed(feedId, change))
}

export interface DailyLimit {
  /** Truncates entries and articles to the limits. The result counts as stored until `release` is called. */
  apply(news: EntriesRecord): Promise<LimitedNews>
  /** Applies the limits to several records in order, with one query for all. */
  applyAll(news: readonly EntriesRecord[]): Promise<LimitedNews[]>
  /** Call when the record was written, or will not be. */
  release(news: EntriesRecord): void
}

export interface LimitedNews {
  news: EntriesRecord
  skippedEntries: number
  skippedArticles: number
}

/** The record of a poll with its truncated entries. */
export function withLimitedNews(record: PollRecord, { news, skippedEntries }: LimitedNews): PollRecord {
  const { feedId: _id, at: _at, ...limited } = news
  const { poll, feed } = record
  if (skippedEntries === 0 || poll.result.kind !== 'read') return { ...record, ...limited }
  const result = { ...poll.result, fresh: limited.fresh.length }
  return { ...record, ...limited, poll: { ...poll, result }, feed: { ...feed, ...FORCE_FULL_READ } }
}

interface Counts {
  entries: number
  pages: number
}

const NO_COUNTS: Counts = { entries: 0, pages: 0 }

/** Counts entries that are being written: polls and pushes may bring entries of one feed at the same time. */
export function createDailyLimit(pollResults: PollResults): DailyLimit {
  const pending = new Map<FeedId, Counts>()
  const pendingOf = (id: FeedId) => pending.get(id) ?? NO_COUNTS

  function addPending(id: FeedId, more: Counts): void {
    const entries = pendingOf(id).entries + more.entries
    const pages = pendingOf(id).pages + more.pages
    if (entries + pages > 0) pending.set(id, { entries, pages })
    else pending.delete(id)
  }

  /** Counts the stored entries and articles of each feed of the last day, or of some seconds more in batches of outcomes. */
  async function countStored(all: readonly EntriesRecord[]): Promise<(id: FeedId) => Counts> {
    const since = Math.min(...all.map(({ at }) => at)) - DAY
    const ids = [...new Set(all.map(({ feedId }) => feedId))]
    const counts = await pollResults.countStoredSince(ids, since)
    return (id) => counts[ids.indexOf(id)] ?? NO_COUNTS
  }

  function limit(news: EntriesRecord, inStore: Counts, before: Counts): LimitedNews {
    const { feedId, fresh, articles = [] } = news
    const now = pendingOf(feedId)
    const capacity = Math.max(0, MAX_ENTRIES_PER_DAY - inStore.entries - Math.max(before.entries, now.entries))
    const articleCapacity = Math.max(0, MAX_ARTICLES_PER_DAY - inStore.pages - Math.max(before.pages, now.pages))
    const limited = {
      ...news,
      fresh: fresh.slice(0, capacity),
      ...(news.articles && { articles: articles.slice(0, articleCapacity) }),
    }
    const [skippedEntries, skippedArticles] = [
      Math.max(0, fresh.length - capacity),
      Math.max(0, articles.length - articleCapacity),
    ]
    addPending(feedId, { entries: fresh.length - skippedEntries, pages: articles.length - skippedArticles })
    return { news: limited, skippedEntries, skippedArticles }
  }

  async function applyAll(all: readonly EntriesRecord[]): Promise<LimitedNews[]> {
    const nonEmpty = all.filter(({ fresh, articles = [] }) => fresh.length + articles.length > 0)
    if (nonEmpty.length === 0) return all.map((news) => ({ news, skippedEntries: 0, skippedArticles: 0 }))
    const before = new Map(nonEmpty.map(({ feedId }) => [feedId, pendingOf(feedId)])) // they may be written during the query
    const inStore = await countStored(nonEmpty)
    return all.map((news) =>
      nonEmpty.includes(news)
        ? limit(news, inStore(news.feedId), before.get(news.feedId) ?? NO_COUNTS)
        : { news, skippedEntries: 0, skippedArticles: 0 },
    )
  }

  return {
    apply: async (news) => (await applyAll([news]))[0]!,
    applyAll,
    release({ feedId, fresh, articles = [] }) {
      addPending(feedId, { entries: -fresh.length, pages: -articles.length })
    },
  }
}
