/**
 * What came of fetches. All records of a batch are dealt with together: their articles and lines are loaded and locked, then
 * `articles/life` says of one after the other what becomes of it, and all of that is written at once. Pages and texts are
 * packed before the transaction, for that takes long.
 */
import { type AfterFetch, afterFetch } from '../../../articles/life/after-fetch.ts'
import type { ArticleId, ArticleResult, EntryId, Instant, LeaseToken } from '../../../model/index.ts'
import type { ArticleRecord } from '../../../ports/index.ts'
import type { ArticleMethods } from '../methods.ts'
import { packContent } from '../sql/article-rows.ts'
import type { Packed } from '../sql/packing.ts'
import { type PackedPage, type Patterns, packPageOf } from '../sql/page-packing.ts'
import { changeLines, type LineChanges, lockedLines, noLineChanges } from './article-lines.ts'
import { type ArticleInHand, dropTexts, lockedArticles, recount, writeArticles } from './article-writer.ts'
import { manyRows } from './columns.ts'
import { dropPages, newestPattern, writePages } from './pages.ts'
import { arrivalMonth } from './partitions.ts'
import type { PostgresSession, Transaction } from './session.ts'
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

export function articleRecords(session: PostgresSession): Pick<ArticleMethods, 'recordArticles'> {
  async function pack(result: ArticleResult, patterns: Patterns): Promise<PackedArticle | undefined> {
    if (result.kind !== 'read') return undefined
    const { facts, content, page } = result
    return {
      content: await packContent({ facts, ...content }),
      ...(page && {
        page: await packPageOf(page, content.html, patterns, (site) => newestPattern(session, site)),
      }),
    }
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

async function writeRecords(
  tx: Transaction,
  records: readonly ArticleRecord[],
  packed: readonly (PackedArticle | undefined)[],
): Promise<boolean[]> {
  const month = await arrivalMonth(tx, Math.max(0, ...records.map(({ at }) => at)))
  const articles = await lockedArticles(
    tx,
    records.flatMap(({ id, result }) => (result.kind === 'same' ? [id, result.sameAs] : [id])),
  )
  const leases = await lockedLines(
    tx,
    [...articles.values()].map(({ life }) => life.root),
  )
  const batch: Batch = {
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
  const answers: boolean[] = []
  for (const [i, record] of records.entries()) answers.push(await recordOne(tx, batch, record, packed[i]))
  await writeBatch(tx, batch, month)
  return answers
}

async function recordOne(
  tx: Transaction,
  batch: Batch,
  { id, lease, at, lineDueAt, result }: ArticleRecord,
  packed: PackedArticle | undefined,
): Promise<boolean> {
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
    await moveEntries(tx, id, other.life.id)
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

/** Its entries, and those that turned out to be it, are the other's. */
async function moveEntries(tx: Transaction, id: ArticleId, to: ArticleId): Promise<void> {
  await tx.run('UPDATE article_entries SET article_id = $2 WHERE article_id = $1', [id, to])
  await tx.run('UPDATE articles SET same_as = $2 WHERE same_as = $1', [id, to])
}

async function writeBatch(tx: Transaction, batch: Batch, month: number): Promise<void> {
  const texts = await writeTexts(tx, month, batch.texts)
  const pages = await writePages(
    tx,
    month,
    [...batch.pages].map(([id, page]) => ({ id, page })),
  )
  for (const [id, place] of texts) batch.articles.get(id)!.textPlace = place
  for (const [id, place] of pages) batch.articles.get(id)!.pagePlace = place
  await writeArticles(
    tx,
    [...batch.changed].map((id) => batch.articles.get(id)!),
  )
  await dropTexts(tx, batch.textsLeft)
  await dropPages(tx, batch.pagesLeft)
  await writeEstimates(tx, batch.estimates)
  await announce(tx, batch)
  await changeLines(tx, batch.lines)
}

async function writeTexts(tx: Transaction, month: number, texts: Batch['texts']): Promise<Map<ArticleId, number>> {
  if (texts.size === 0) return new Map()
  const rows = manyRows(
    't',
    ['article_id bigint', 'fetched_at bigint', 'codec smallint', 'packed bytea'],
    [...texts].map(([id, { at, packed }]) => [id, at, packed.codec, packed.packed]),
    2,
  )
  const written = await tx.rows<{ article_id: ArticleId; place: number }>(
    `INSERT INTO article_texts (place, article_id, fetched_at, codec, packed)
     SELECT ($1::bigint << 40) | nextval('text_places'), article_id, fetched_at, codec, packed FROM ${rows.sql} ORDER BY n
     RETURNING article_id, place`,
    [month, ...rows.values],
  )
  for (const { packed } of texts.values()) tx.tally.textBytes += packed.packed.length
  return new Map(written.map(({ article_id, place }) => [article_id, place]))
}

/** The last word counts. */
async function writeEstimates(tx: Transaction, estimates: Batch['estimates']): Promise<void> {
  if (estimates.length === 0) return
  const last = new Map(estimates.map((one) => [one.id, one]))
  const rows = manyRows(
    'n',
    ['id bigint', 'at bigint', 'by text'],
    [...last.values()].map(({ id, at, by }) => [id, at, by]),
  )
  await tx.run(
    `UPDATE entries SET estimated_at = n.at, estimated_by = n.by, sort_at = least(n.at, entries.seen_at)
     FROM ${rows.sql} JOIN article_entries l ON l.article_id = n.id
     WHERE entries.id = l.entry_id AND entries.published_at IS NULL AND entries.updated_at IS NULL`,
    rows.values,
  )
}

/** The entries of each article, in the order in which those were recorded. */
async function announce(
  tx: Transaction,
  { reindex, placeAgain }: Pick<Batch, 'reindex' | 'placeAgain'>,
): Promise<void> {
  for (const [line, ids] of [
    ['unindexed', reindex],
    ['unplaced', placeAgain],
  ] as const)
    await toLine(tx, line, await entriesPointingAt(tx, ids))
}

/** Those that point at these articles, in their order. */
export async function entriesPointingAt(tx: Transaction, ids: readonly ArticleId[]): Promise<EntryId[]> {
  if (ids.length === 0) return []
  const rows = await tx.rows<{ entry_id: EntryId }>(
    `SELECT l.entry_id FROM unnest($1::bigint[]) WITH ORDINALITY AS a (id, n) JOIN article_entries l ON l.article_id = a.id
     ORDER BY a.n, l.entry_id`,
    [ids],
  )
  return rows.map(({ entry_id }) => entry_id)
}
