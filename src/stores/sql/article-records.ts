/**
 * What came of fetches. All records of a batch are dealt with together: their articles and lines are loaded and locked, then
 * `articles/lifecycle` says of one after the other what becomes of it, and all of that is written at once. Pages and texts are
 * packed before the transaction, for that takes long.
 */
import { type AfterFetch, afterFetch } from '../../articles/lifecycle/after-fetch.ts'
import type { ArticleId, ArticleResult, EntryId, Instant, LeaseToken } from '../../model/index.ts'
import type { ArticleRecord } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { type LineChanges, noLineChanges } from './article-lines.ts'
import type { ArticleParts } from './article-parts.ts'
import { packContent } from './article-rows.ts'
import { type ArticleInHand, recount } from './article-writer.ts'
import type { TypedColumn } from './dialect.ts'
import { arrivalMonth } from './months.ts'
import type { Packed } from './packing.ts'
import { type PackedPage, type Patterns, packPageOf } from './page-packing.ts'
import { newestPattern } from './pages.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { lastOfEach } from './values.ts'
import { toLine } from './waiting-lines.ts'

interface PackedArticle {
  content: Packed
  page?: PackedPage
}

/** What a batch has come to, while one record after the other is dealt with. */
interface Batch {
  articles: Map<ArticleId, ArticleInHand>
  leases: Map<string, LeaseToken | null>
  lines: LineChanges
  /** To be written. */
  changed: Set<ArticleId>
  texts: Map<ArticleId, { at: Instant; packed: Packed }>
  pages: Map<ArticleId, PackedPage>
  /** Places whose rows go. */
  textsLeft: number[]
  pagesLeft: number[]
  /** Whose entries wait for the index, and for their place. */
  reindex: ArticleId[]
  placeAgain: ArticleId[]
  estimates: { id: ArticleId; at: Instant; by: string }[]
}

const TEXT: TypedColumn[] = ['article_id bigint', 'fetched_at bigint', 'codec smallint', 'packed bytea']
const ESTIMATE: TypedColumn[] = ['entry_id bigint', 'at bigint', 'by text']
const MOVE = [
  'UPDATE article_entries SET article_id = g.to_id FROM given g WHERE article_entries.article_id = g.from_id',
  'UPDATE articles SET same_as = g.to_id FROM given g WHERE articles.same_as = g.from_id',
]
const POINTING_AT = `SELECT g.id AS article_id, l.entry_id FROM given g, article_entries l WHERE l.article_id = g.id
  ORDER BY g.n, l.entry_id`

export function articleRecords(session: SqlSession, parts: ArticleParts): Pick<ArticleMethods, 'recordArticles'> {
  const { dialect } = session
  const { lines, pages, writer } = parts
  const insertText = dialect.contents.insert('article_texts', TEXT)
  const estimate = `UPDATE entries SET estimated_at = g.at, estimated_by = g.by, sort_at = ${dialect.least}(g.at, entries.seen_at)
    FROM given g WHERE entries.id = g.entry_id AND entries.published_at IS NULL AND entries.updated_at IS NULL`

  async function pack(result: ArticleResult, patterns: Patterns): Promise<PackedArticle | undefined> {
    if (result.kind !== 'read') return undefined
    const { facts, content, page } = result
    return {
      content: await packContent({ facts, ...content }),
      ...(page && { page: await packPageOf(page, content.html, patterns, (site) => newestPattern(session, site)) }),
    }
  }

  function* writeRecords(
    tx: SqlTransaction,
    records: readonly ArticleRecord[],
    packed: readonly (PackedArticle | undefined)[],
  ): SqlWork<boolean[]> {
    const month = yield* arrivalMonth(
      tx,
      dialect,
      records.map(({ at }) => at),
    )
    const articles = yield* writer.locked(
      tx,
      records.flatMap(({ id, result }) => (result.kind === 'same' ? [id, result.sameAs] : [id])),
    )
    const leases = yield* lines.locked(
      tx,
      [...articles.values()].map(({ life }) => life.root),
    )
    const batch = newBatch(articles, leases)
    const answers: boolean[] = []
    for (const [i, record] of records.entries()) answers.push(yield* recordOne(tx, batch, record, packed[i]))
    yield* writeBatch(tx, batch, month)
    return answers
  }

  function* writeBatch(tx: SqlTransaction, batch: Batch, month: number): SqlWork<void> {
    yield* writer.dropTexts(tx, batch.textsLeft)
    const texts = yield* tx.each<{ article_id: ArticleId; place: number }>(
      insertText,
      [...TEXT, 'month bigint'],
      [...batch.texts].map(([id, { at, packed }]) => [id, at, packed.codec, packed.packed, month]),
    )
    for (const { packed } of batch.texts.values()) tx.tally.textBytes += packed.packed.length
    const written = [...batch.pages].map(([id, page]) => ({ id, page }))
    const places = yield* pages.write(tx, month, written, batch.pagesLeft)
    for (const { article_id, place } of texts) batch.articles.get(article_id)!.textPlace = place
    for (const [id, place] of places) batch.articles.get(id)!.pagePlace = place
    yield* writer.write(
      tx,
      [...batch.changed].map((id) => batch.articles.get(id)!),
    )
    yield* writeEstimates(tx, batch.estimates)
    yield* toLine(tx, dialect, 'unindexed', yield* entriesPointingAt(tx, batch.reindex))
    yield* toLine(tx, dialect, 'unplaced', yield* entriesPointingAt(tx, batch.placeAgain))
    yield* lines.change(tx, batch.lines)
  }

  /** The last word counts. */
  function* writeEstimates(tx: SqlTransaction, estimates: Batch['estimates']): SqlWork<void> {
    const last = lastOfEach(estimates, ({ id }) => id)
    const byId = new Map(last.map((one) => [one.id, one]))
    const rows = yield* pointingAt(
      tx,
      last.map(({ id }) => id),
    )
    const given = rows.map(({ entry_id, article_id }) => {
      const { at, by } = byId.get(article_id)!
      return [entry_id, at, by]
    })
    yield* tx.runEach(estimate, ESTIMATE, given)
  }

  return {
    async recordArticles(records) {
      const patterns: Patterns = new Map()
      const packed: (PackedArticle | undefined)[] = []
      for (const record of records) packed.push(await pack(record.result, patterns))
      return session.write((tx) => writeRecords(tx, records, packed))
    },
  }
}

function newBatch(articles: Batch['articles'], leases: Batch['leases']): Batch {
  return {
    articles,
    leases,
    lines: noLineChanges(),
    changed: new Set(),
    texts: new Map(),
    pages: new Map(),
    textsLeft: [],
    pagesLeft: [],
    reindex: [],
    placeAgain: [],
    estimates: [],
  }
}

function* recordOne(
  tx: SqlTransaction,
  batch: Batch,
  { id, lease, at, lineDueAt, result }: ArticleRecord,
  packed: PackedArticle | undefined,
): SqlWork<boolean> {
  const held = batch.articles.get(id)
  if (!held || (lease !== undefined && batch.leases.get(held.life.root) !== lease)) return false
  const other = result.kind === 'same' ? batch.articles.get(result.sameAs) : undefined
  const after = afterFetch({ article: held.life, other: other?.life }, result, at)
  if (!after) return false
  const { root } = held.life
  recount(tx, held.life.state, after.article.state)
  put(batch, { ...held, life: after.article })
  if (other && after.movedTo) {
    put(batch, { ...other, life: after.movedTo })
    // Its entries, and those that turned out to be it, are the other's.
    yield* tx.runEach(MOVE, ['from_id bigint', 'to_id bigint'], [[id, other.life.id]])
  }
  if (result.kind === 'read' && result.estimate) batch.estimates.push({ id, ...result.estimate })
  changeContent(batch, id, after, packed && { at, packed })
  if (after.reindex) batch.reindex.push(after.movedTo?.id ?? id)
  if (after.placeAgain) batch.placeAgain.push(after.movedTo?.id ?? id)
  batch.leases.set(root, null)
  batch.lines.released.set(root, lineDueAt)
  batch.lines.settled.set(after.article.root, batch.lines.settled.get(after.article.root))
  return true
}

function put(batch: Batch, held: ArticleInHand): void {
  batch.articles.set(held.life.id, held)
  batch.changed.add(held.life.id)
}

function changeContent(
  batch: Batch,
  id: ArticleId,
  { text, page }: AfterFetch,
  fetched?: { at: Instant; packed: PackedArticle },
): void {
  const held = batch.articles.get(id)!
  if (text !== 'keep') {
    if (held.textPlace !== null) batch.textsLeft.push(held.textPlace)
    batch.texts.delete(id)
    held.textPlace = null
  }
  if (text === 'write' && fetched) batch.texts.set(id, { at: fetched.at, packed: fetched.packed.content })
  if (page !== 'keep') {
    if (held.pagePlace !== null) batch.pagesLeft.push(held.pagePlace)
    batch.pages.delete(id)
    held.pagePlace = null
  }
  if (page === 'write' && fetched?.packed.page) batch.pages.set(id, fetched.packed.page)
}

function pointingAt(
  tx: SqlTransaction,
  ids: readonly ArticleId[],
): SqlWork<{ article_id: ArticleId; entry_id: EntryId }[]> {
  return tx.each(
    POINTING_AT,
    ['id bigint'],
    ids.map((id) => [id]),
  )
}

/** Those that point at these articles, in their order. */
export function* entriesPointingAt(tx: SqlTransaction, ids: readonly ArticleId[]): SqlWork<EntryId[]> {
  return (yield* pointingAt(tx, ids)).map(({ entry_id }) => entry_id)
}
