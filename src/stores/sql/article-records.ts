/**
 * Records results of article fetches, a batch at a time: loads and locks the articles and queues, applies `articles/lifecycle` to one
 * record after the other, and writes all changes at once. Pages and texts are compressed before the transaction, because that is slow.
 */
import { type AfterFetch, afterFetch } from '../../articles/lifecycle/after-fetch.ts'
import type { ArticleId, ArticleResult, EntryId, Instant, LeaseToken } from '../../model/index.ts'
import type { ArticleRecord } from '../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import type { ArticleParts } from './article-parts.ts'
import { type ArticleQueueChanges, noQueueChanges } from './article-queues.ts'
import { packArticleContent } from './article-rows.ts'
import { countStateChange, type LoadedArticle } from './article-writer.ts'
import type { TypedColumn } from './dialect.ts'
import { arrivalMonth } from './months.ts'
import type { Packed } from './packing.ts'
import { type PackedPage, type Patterns, packRawPage } from './page-packing.ts'
import { enqueueEntries } from './pending-work.ts'
import { newestPattern } from './raw-pages.ts'
import type { SqlSession, SqlTransaction, SqlWork } from './session.ts'
import { lastOfEach } from './values.ts'

interface PackedArticle {
  content: Packed
  page?: PackedPage
}

/** Accumulated changes of a batch. */
interface Batch {
  articles: Map<ArticleId, LoadedArticle>
  leases: Map<string, LeaseToken | null>
  queueChanges: ArticleQueueChanges
  /** Articles to write. */
  changed: Set<ArticleId>
  texts: Map<ArticleId, { at: Instant; packed: Packed }>
  pages: Map<ArticleId, PackedPage>
  /** Positions of rows to delete. */
  droppedTexts: number[]
  droppedPages: number[]
  /** Articles whose entries are queued for indexing and for grouping. */
  reindex: ArticleId[]
  regroup: ArticleId[]
  estimates: { id: ArticleId; at: Instant; by: string }[]
  titles: { id: ArticleId; title: string }[]
}

const TEXT: TypedColumn[] = ['article_id bigint', 'fetched_at bigint', 'codec smallint', 'packed bytea']
const ESTIMATE: TypedColumn[] = ['entry_id bigint', 'at bigint', 'by text']
const TITLE: TypedColumn[] = ['entry_id bigint', 'title text']
const SET_TITLE = "UPDATE entries SET title = g.title FROM given g WHERE entries.id = g.entry_id AND entries.title = ''"
const MOVE = [
  'UPDATE article_entries SET article_id = g.to_id FROM given g WHERE article_entries.article_id = g.from_id',
  'UPDATE articles SET same_as = g.to_id FROM given g WHERE articles.same_as = g.from_id',
]
const ENTRIES_OF = `SELECT g.id AS article_id, l.entry_id FROM given g, article_entries l WHERE l.article_id = g.id
  ORDER BY g.n, l.entry_id`

export function articleResultMethods(session: SqlSession, parts: ArticleParts): Pick<ArticleMethods, 'recordArticles'> {
  const { dialect } = session
  const { queues, pages, writer } = parts
  const insertText = dialect.contents.insert('article_texts', TEXT)
  const estimate = `UPDATE entries SET estimated_at = g.at, estimated_by = g.by, sort_at = ${dialect.least}(g.at, entries.seen_at)
    FROM given g WHERE entries.id = g.entry_id AND entries.published_at IS NULL AND entries.updated_at IS NULL`

  async function pack(result: ArticleResult, patterns: Patterns): Promise<PackedArticle | undefined> {
    if (result.kind !== 'read') return undefined
    const { facts, content, page } = result
    return {
      content: await packArticleContent({ facts, ...content }),
      ...(page && { page: await packRawPage(page, content.html, patterns, (site) => newestPattern(session, site)) }),
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
    const articles = yield* writer.loadLocked(
      tx,
      records.flatMap(({ id, result }) => (result.kind === 'same' ? [id, result.sameAs] : [id])),
    )
    const leases = yield* queues.lockLeases(
      tx,
      [...articles.values()].map(({ life }) => life.root),
    )
    const batch = newBatch(articles, leases)
    const results: boolean[] = []
    for (const [i, record] of records.entries()) results.push(yield* recordOne(tx, batch, record, packed[i]))
    yield* writeBatch(tx, batch, month)
    return results
  }

  function* writeBatch(tx: SqlTransaction, batch: Batch, month: number): SqlWork<void> {
    yield* writer.dropTexts(tx, batch.droppedTexts)
    const texts = yield* tx.each<{ article_id: ArticleId; place: number }>(
      insertText,
      [...TEXT, 'month bigint'],
      [...batch.texts].map(([id, { at, packed }]) => [id, at, packed.codec, packed.packed, month]),
    )
    for (const { packed } of batch.texts.values()) tx.countChanges.textBytes += packed.packed.length
    const written = [...batch.pages].map(([id, page]) => ({ id, page }))
    const positions = yield* pages.write(tx, month, written, batch.droppedPages)
    for (const { article_id, place: position } of texts) batch.articles.get(article_id)!.textPosition = position
    for (const [id, position] of positions) batch.articles.get(id)!.pagePosition = position
    yield* writer.write(
      tx,
      [...batch.changed].map((id) => batch.articles.get(id)!),
    )
    yield* writeToEntries(tx, batch.estimates, estimate, ESTIMATE, ({ at, by }) => [at, by])
    yield* writeToEntries(tx, batch.titles, SET_TITLE, TITLE, ({ title }) => [title])
    yield* enqueueEntries(tx, dialect, 'unindexed', yield* entryIdsOfArticles(tx, batch.reindex))
    yield* enqueueEntries(tx, dialect, 'ungrouped', yield* entryIdsOfArticles(tx, batch.regroup))
    yield* queues.apply(tx, batch.queueChanges)
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

/** Updates the entries of articles. If a batch has several values for an article, the last one wins. */
function* writeToEntries<Value extends { id: ArticleId }>(
  tx: SqlTransaction,
  values: Value[],
  update: string,
  columns: TypedColumn[],
  valuesOf: (value: Value) => unknown[],
): SqlWork<void> {
  const last = lastOfEach(values, ({ id }) => id)
  const byId = new Map(last.map((one) => [one.id, one]))
  const rows = yield* entriesOf(
    tx,
    last.map(({ id }) => id),
  )
  const given = rows.map(({ entry_id, article_id }) => [entry_id, ...valuesOf(byId.get(article_id)!)])
  yield* tx.runEach(update, columns, given)
}

function newBatch(articles: Batch['articles'], leases: Batch['leases']): Batch {
  return {
    articles,
    leases,
    queueChanges: noQueueChanges(),
    changed: new Set(),
    texts: new Map(),
    pages: new Map(),
    droppedTexts: [],
    droppedPages: [],
    reindex: [],
    regroup: [],
    estimates: [],
    titles: [],
  }
}

function* recordOne(
  tx: SqlTransaction,
  batch: Batch,
  { id, lease, at, queueDueAt, result }: ArticleRecord,
  packed: PackedArticle | undefined,
): SqlWork<boolean> {
  const loaded = batch.articles.get(id)
  if (!loaded || (lease !== undefined && batch.leases.get(loaded.life.root) !== lease)) return false
  const other = result.kind === 'same' ? batch.articles.get(result.sameAs) : undefined
  const after = afterFetch({ article: loaded.life, other: other?.life }, result, at)
  if (!after) return false
  const { root } = loaded.life
  countStateChange(tx, loaded.life.state, after.article.state)
  put(batch, { ...loaded, life: after.article })
  if (other && after.movedTo) {
    put(batch, { ...other, life: after.movedTo })
    // Moves the entries and aliases of the article to the other article.
    yield* tx.runEach(MOVE, ['from_id bigint', 'to_id bigint'], [[id, other.life.id]])
  }
  if (result.kind === 'read' && result.estimate) batch.estimates.push({ id, ...result.estimate })
  if (result.kind === 'read' && result.title) batch.titles.push({ id, title: result.title })
  changeContent(batch, id, after, packed && { at, packed })
  if (after.reindex) batch.reindex.push(after.movedTo?.id ?? id)
  if (after.regroup) batch.regroup.push(after.movedTo?.id ?? id)
  batch.leases.set(root, null)
  batch.queueChanges.released.set(root, queueDueAt)
  batch.queueChanges.refreshed.set(after.article.root, batch.queueChanges.refreshed.get(after.article.root))
  return true
}

function put(batch: Batch, loaded: LoadedArticle): void {
  batch.articles.set(loaded.life.id, loaded)
  batch.changed.add(loaded.life.id)
}

function changeContent(
  batch: Batch,
  id: ArticleId,
  { text, page }: AfterFetch,
  fetched?: { at: Instant; packed: PackedArticle },
): void {
  const loaded = batch.articles.get(id)!
  if (text !== 'keep') {
    if (loaded.textPosition !== null) batch.droppedTexts.push(loaded.textPosition)
    batch.texts.delete(id)
    loaded.textPosition = null
  }
  if (text === 'write' && fetched) batch.texts.set(id, { at: fetched.at, packed: fetched.packed.content })
  if (page !== 'keep') {
    if (loaded.pagePosition !== null) batch.droppedPages.push(loaded.pagePosition)
    batch.pages.delete(id)
    loaded.pagePosition = null
  }
  if (page === 'write' && fetched?.packed.page) batch.pages.set(id, fetched.packed.page)
}

function entriesOf(
  tx: SqlTransaction,
  ids: readonly ArticleId[],
): SqlWork<{ article_id: ArticleId; entry_id: EntryId }[]> {
  return tx.each(
    ENTRIES_OF,
    ['id bigint'],
    ids.map((id) => [id]),
  )
}

/** Returns the entries of these articles, in the order of `ids`. */
export function* entryIdsOfArticles(tx: SqlTransaction, ids: readonly ArticleId[]): SqlWork<EntryId[]> {
  return (yield* entriesOf(tx, ids)).map(({ entry_id }) => entry_id)
}
