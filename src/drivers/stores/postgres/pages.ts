/**
 * Pages as they came, for archives. Each site has a pattern, the first page that we had of it, against which the others are
 * packed; when they no longer resemble it, because the site was built anew, the next one becomes the pattern. A page is also
 * packed against the text of its article: whoever changes or drops that has to write or drop the page as well.
 *
 * A page is packed before the transaction that writes it. Should its pattern be gone by then, that is written again; else it is
 * locked until the page is there. Whoever drops a pattern locks it first, and then looks whether a page needs it.
 */
import type { ArticleId, Instant, RawPage } from '../../../model/index.ts'
import { contentOf } from '../sql/article-rows.ts'
import { type Packed, unpackPage } from '../sql/packing.ts'
import { type KeptPattern, type PackedPage, pageOf } from '../sql/page-packing.ts'
import { manyRows } from './columns.ts'
import type { PostgresSession, RowAsker, Transaction } from './session.ts'

/** The newest pattern of a site. */
export async function newestPattern(query: RowAsker, site: string): Promise<KeptPattern | undefined> {
  const [row] = await query.rows<KeptPattern>(
    'SELECT id, codec, packed FROM page_patterns WHERE site = $1 ORDER BY id DESC LIMIT 1',
    [site],
  )
  return row
}

export interface PageToWrite {
  id: ArticleId
  page: PackedPage
}

/** Where they stand now, by article; the rows that they had are to be dropped by whoever knows them. */
export async function writePages(
  tx: Transaction,
  month: number,
  pages: readonly PageToWrite[],
): Promise<Map<ArticleId, number>> {
  if (pages.length === 0) return new Map()
  const patterns = await patternIds(tx, pages)
  const rows = manyRows(
    'p',
    ['article_id bigint', 'at bigint', 'pattern_id bigint', 'codec smallint', 'packed bytea'],
    pages.map(({ id, page: { at, pattern, codec, packed } }) => {
      return [id, at, pattern ? patterns.get(pattern)! : null, codec, packed]
    }),
    2,
  )
  const places = await tx.rows<{ article_id: ArticleId; place: number }>(
    `INSERT INTO pages (place, article_id, at, pattern_id, codec, packed)
     SELECT ($1::bigint << 40) | nextval('page_places'), article_id, at, pattern_id, codec, packed FROM ${rows.sql} ORDER BY n
     RETURNING article_id, place`,
    [month, ...rows.values],
  )
  tx.tally.pages += pages.length
  for (const { page } of pages) tx.tally.pageBytes += page.packed.length
  return new Map(places.map(({ article_id, place }) => [article_id, place]))
}

/** By pattern, the id that it has; those that are new, or gone by now, are written. */
async function patternIds(tx: Transaction, pages: readonly PageToWrite[]): Promise<Map<KeptPattern, number>> {
  const wanted = new Map(pages.flatMap(({ page: { pattern, site } }) => (pattern ? [[pattern, site] as const] : [])))
  const known = [...wanted.keys()].flatMap(({ id }) => id ?? [])
  const there = await tx.rows<{ id: number }>(
    'SELECT id FROM page_patterns WHERE id = ANY ($1::bigint[]) ORDER BY id FOR KEY SHARE',
    [known],
  )
  const isThere = new Set(there.map(({ id }) => id))
  const ids = new Map<KeptPattern, number>()
  for (const [pattern, site] of wanted) {
    if (pattern.id !== undefined && isThere.has(pattern.id)) {
      ids.set(pattern, pattern.id)
      continue
    }
    const [row] = await tx.rows<{ id: number }>(
      'INSERT INTO page_patterns (site, codec, packed) VALUES ($1, $2, $3) RETURNING id',
      [site, pattern.codec, pattern.packed],
    )
    tx.tally.pageBytes += pattern.packed.length
    ids.set(pattern, row!.id)
  }
  return ids
}

interface Left {
  pattern_id: number | null
  bytes: number
}

/** Those at these places, with the patterns that nobody needs afterwards. */
export async function dropPages(tx: Transaction, places: readonly number[]): Promise<void> {
  if (places.length === 0) return
  const left = await tx.rows<Left>(
    'DELETE FROM pages WHERE place = ANY ($1::bigint[]) RETURNING pattern_id, octet_length(packed) AS bytes',
    [places],
  )
  tx.tally.pages -= left.length
  for (const { bytes } of left) tx.tally.pageBytes -= bytes
  await dropUnused(tx, [...new Set(left.flatMap(({ pattern_id }) => pattern_id ?? []))])
}

/** Of these patterns, those that no page needs. */
export async function dropUnused(tx: Transaction, patternIds: readonly number[]): Promise<void> {
  if (patternIds.length === 0) return
  await tx.rows('SELECT 1 FROM page_patterns WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE', [patternIds])
  const dropped = await tx.rows<{ bytes: number }>(
    `DELETE FROM page_patterns p WHERE id = ANY ($1::bigint[]) AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = p.id)
     RETURNING octet_length(packed) AS bytes`,
    [patternIds],
  )
  for (const { bytes } of dropped) tx.tally.pageBytes -= bytes
}

/** Before a month of pages is dropped: how many it has, and the patterns that only they need. */
export async function settlePages(tx: Transaction, month: string): Promise<number> {
  const [row] = await tx.rows<{ pages: number; bytes: number }>(
    `SELECT count(*) AS pages, coalesce(sum(octet_length(packed)), 0)::bigint AS bytes FROM ${month}`,
  )
  const patterns = await tx.rows<{ bytes: number }>(
    `DELETE FROM page_patterns p WHERE id IN (SELECT pattern_id FROM ${month})
     AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = p.id AND pages.tableoid <> $1::regclass)
     RETURNING octet_length(packed) AS bytes`,
    [month],
  )
  tx.tally.pages -= row!.pages
  tx.tally.pageBytes -= row!.bytes + patterns.reduce((sum, { bytes }) => sum + bytes, 0)
  return row!.pages
}

interface PageRow extends Packed {
  at: Instant
  pattern_codec: number | null
  pattern: Buffer | null
  text_codec: number | null
  text: Buffer | null
}

export async function keptPage(session: PostgresSession, id: ArticleId): Promise<RawPage | undefined> {
  const [row] = await session.rows<PageRow>(
    `SELECT p.at, p.codec, p.packed, m.codec AS pattern_codec, m.packed AS pattern, t.codec AS text_codec, t.packed AS text
     FROM articles a JOIN pages p ON p.place = a.page_place LEFT JOIN page_patterns m ON m.id = p.pattern_id
     LEFT JOIN article_texts t ON t.place = a.text_place WHERE a.id = $1`,
    [id],
  )
  if (!row) return undefined
  const bytes = unpackPage(row, () => ({
    pattern: unpackPage({ codec: row.pattern_codec!, packed: row.pattern! }),
    text: Buffer.from(contentOf({ codec: row.text_codec, packed: row.text }).html),
  }))
  return pageOf(row.at, bytes)
}
