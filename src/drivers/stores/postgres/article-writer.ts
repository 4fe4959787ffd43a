/**
 * Articles as a transaction has them in hand: loaded and locked at once, changed one after the other as `articles/life` says,
 * and written at once in the end. Articles are locked before lines, and each in the order of their ids: so nobody waits for who
 * waits for him, or hardly ever.
 */
import { goneWith } from '../../../articles/life/let-go.ts'
import type { ArticleId, ArticleLife, ArticleState, EntryId } from '../../../model/index.ts'
import { LIFE_COLUMNS, type LifeRow, lifeColumns, lifeOf } from '../sql/article-rows.ts'
import type { TypedColumn } from '../sql/dialect.ts'
import { countArticle } from '../sql/tally.ts'
import type { LineChanges } from './article-lines.ts'
import { manyRows } from './columns.ts'
import { dropPages } from './pages.ts'
import type { Transaction } from './session.ts'

/** An article, and where its text and its page stand. */
export interface ArticleInHand {
  life: ArticleLife
  textPlace: number | null
  pagePlace: number | null
}

interface InHandRow extends LifeRow {
  text_place: number | null
  page_place: number | null
}

/** Of `articles a`. */
export const IN_HAND_COLUMNS = `${LIFE_COLUMNS}, a.text_place, a.page_place`

export function inHand(row: InHandRow): ArticleInHand {
  return { life: lifeOf(row), textPlace: row.text_place, pagePlace: row.page_place }
}

/** Nobody else changes them until the transaction ends. */
export async function lockedArticles(
  tx: Transaction,
  ids: Iterable<ArticleId>,
): Promise<Map<ArticleId, ArticleInHand>> {
  const rows = await tx.rows<InHandRow>(
    `SELECT ${IN_HAND_COLUMNS} FROM articles a WHERE a.id = ANY ($1::bigint[]) ORDER BY a.id FOR UPDATE`,
    [[...new Set(ids)]],
  )
  return new Map(rows.map((row) => [row.id, inHand(row)]))
}

/** In the order of `lifeColumns`. */
const CHANGED: TypedColumn[] = [
  'state text',
  'news_at bigint',
  'due_at bigint',
  'failures integer',
  'trouble text',
  'tried_at bigint',
  'reads integer',
  'fetched_at bigint',
  'same_as bigint',
  'no_archive smallint',
  'root text',
  'led_to text',
  'hops integer',
  'page_url text',
  'page_hash bigint',
]
const NAMES = CHANGED.map((column) => column.slice(0, column.indexOf(' ')))

/** What they are from now on; how they are counted is told apart, see `recount`. */
export async function writeArticles(tx: Transaction, articles: readonly ArticleInHand[]): Promise<void> {
  if (articles.length === 0) return
  const rows = manyRows(
    'n',
    ['id bigint', 'text_place bigint', 'page_place bigint', ...CHANGED],
    articles.map(({ life, textPlace, pagePlace }) => [life.id, textPlace, pagePlace, ...lifeColumns(life)]),
  )
  await tx.run(
    `UPDATE articles SET text_place = n.text_place, page_place = n.page_place,
     ${NAMES.map((name) => `${name} = n.${name}`).join(', ')} FROM ${rows.sql} WHERE articles.id = n.id`,
    rows.values,
  )
}

export function recount(tx: Transaction, before: ArticleState, after: ArticleState): void {
  countArticle(tx.tally, -1, before)
  countArticle(tx.tally, 1, after)
}

/** Those at these places. */
export async function dropTexts(tx: Transaction, places: readonly number[]): Promise<void> {
  if (places.length === 0) return
  const dropped = await tx.rows<{ bytes: number }>(
    'DELETE FROM article_texts WHERE place = ANY ($1::bigint[]) RETURNING octet_length(packed) AS bytes',
    [places],
  )
  for (const { bytes } of dropped) tx.tally.textBytes -= bytes
}

/** These entries are gone, or get other articles: what nobody points at any more goes with them. */
export async function unlinkEntries(tx: Transaction, entryIds: readonly EntryId[], lines: LineChanges): Promise<void> {
  if (entryIds.length === 0) return
  const left = await tx.rows<{ article_id: ArticleId }>(
    'DELETE FROM article_entries WHERE entry_id = ANY ($1::bigint[]) RETURNING article_id',
    [entryIds],
  )
  await letGo(tx, new Set(left.map(({ article_id }) => article_id)), lines)
}

interface LetGoRow {
  id: ArticleId
  same_as: ArticleId | null
  is_pointed_at: boolean
}

/** Of these articles, and those that turned out to be them, drops whom no entry points at, with all that is kept of them. */
export async function letGo(tx: Transaction, ids: ReadonlySet<ArticleId>, lines: LineChanges): Promise<void> {
  if (ids.size === 0) return
  const own = [...ids]
  await tx.rows(
    'SELECT 1 FROM articles WHERE id = ANY ($1::bigint[]) OR same_as = ANY ($1::bigint[]) ORDER BY id FOR UPDATE',
    [own],
  )
  const rows = await tx.rows<LetGoRow>(
    `SELECT id, same_as, EXISTS (SELECT 1 FROM article_entries l WHERE l.article_id = a.id) AS is_pointed_at
     FROM articles a WHERE id = ANY ($1::bigint[]) OR same_as = ANY ($1::bigint[]) ORDER BY id`,
    [own],
  )
  const gone = rows
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, is_pointed_at }) => {
      const aliases = rows.filter(({ same_as }) => same_as === id).map((alias) => alias.id)
      return goneWith({ id, isPointedAt: is_pointed_at, aliases })
    })
  await dropArticles(tx, gone, lines)
}

interface GoneRow {
  state: ArticleState
  root: string
  is_due: boolean
  text_place: number | null
  page_place: number | null
}

async function dropArticles(tx: Transaction, ids: readonly ArticleId[], lines: LineChanges): Promise<void> {
  if (ids.length === 0) return
  const gone = await tx.rows<GoneRow>(
    `DELETE FROM articles WHERE id = ANY ($1::bigint[])
     RETURNING state, root, due_at IS NOT NULL AS is_due, text_place, page_place`,
    [ids],
  )
  for (const { state, root, is_due } of gone) {
    countArticle(tx.tally, -1, state)
    if (is_due && !lines.settled.has(root)) lines.settled.set(root, undefined)
  }
  await dropTexts(
    tx,
    gone.flatMap(({ text_place }) => text_place ?? []),
  )
  await dropPages(
    tx,
    gone.flatMap(({ page_place }) => page_place ?? []),
  )
}
