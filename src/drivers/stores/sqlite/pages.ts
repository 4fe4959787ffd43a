/**
 * Pages as they came, for archives. Each site has a pattern, the first page that we had of it, against which the others are
 * packed; when they no longer resemble it, because the site was built anew, the next one becomes the pattern. A page is also
 * packed against the text of its article: whoever changes or drops that has to write or drop the page as well.
 *
 * A page is packed before the transaction that writes it. Should its pattern be gone by then, that is written again.
 */
import type { ArticleId, Instant, RawPage } from '../../../model/index.ts'
import { contentOf } from '../sql/article-rows.ts'
import { type Packed, unpackPage } from '../sql/packing.ts'
import { type KeptPattern, type PackedPage, type Patterns, packPageOf, pageOf } from '../sql/page-packing.ts'
import type { CountTally } from '../sql/tally.ts'
import { bounded, type SqliteSession } from './session.ts'

interface PageRow extends Packed {
  at: Instant
  pattern_id: number | null
}

/** What a page that goes leaves behind. */
interface Left {
  pattern_id: number | null
  bytes: number
}

/** Each within a transaction, but for `pack`. */
export interface Pages {
  /** With the text that is kept of it, in HTML. */
  pack(page: RawPage, html: string, patterns: Patterns): Promise<PackedPage>
  write(id: ArticleId, page: PackedPage, tally: CountTally): void
  drop(id: ArticleId, tally: CountTally): void
  get(id: ArticleId): RawPage | undefined
  dropBefore(before: Instant, limit: number, tally: CountTally): number
  dropOldest(tally: CountTally): number
}

export function createPages(session: SqliteSession): Pages {
  const { db } = session
  const newestPattern = db.prepare<[string], KeptPattern>(
    'SELECT id, codec, packed FROM page_patterns WHERE site = ? ORDER BY id DESC LIMIT 1',
  )
  const patternById = db.prepare<[number], Packed>('SELECT codec, packed FROM page_patterns WHERE id = ?')
  const isThere = db.prepare<[number], 1>('SELECT 1 FROM page_patterns WHERE id = ?').pluck()
  const insertPattern = db.prepare('INSERT INTO page_patterns (site, codec, packed) VALUES (?, ?, ?)')
  const upsert = db.prepare(
    `INSERT INTO pages (article_id, at, pattern_id, codec, packed) VALUES (?, ?, ?, ?, ?) ON CONFLICT (article_id) DO UPDATE
     SET at = excluded.at, pattern_id = excluded.pattern_id, codec = excluded.codec, packed = excluded.packed`,
  )
  const LEFT = 'pattern_id, length(packed) AS bytes'
  const replaced = db.prepare<[ArticleId], Left>(`SELECT ${LEFT} FROM pages WHERE article_id = ?`)
  const drop = db.prepare<[ArticleId], Left>(`DELETE FROM pages WHERE article_id = ? RETURNING ${LEFT}`)
  const before = db.prepare<[Instant, number], Left>(
    `DELETE FROM pages WHERE article_id IN (SELECT article_id FROM pages WHERE at < ? ORDER BY at, article_id LIMIT ?)
     RETURNING ${LEFT}`,
  )
  const oldest = db.prepare<[], Left>(
    `DELETE FROM pages WHERE article_id = (SELECT article_id FROM pages ORDER BY at, article_id LIMIT 1) RETURNING ${LEFT}`,
  )
  const dropUnused = db
    .prepare<{ id: number }, number>(
      `DELETE FROM page_patterns WHERE id = :id AND NOT EXISTS (SELECT 1 FROM pages WHERE pattern_id = :id)
       RETURNING length(packed)`,
    )
    .pluck()
  const get = db.prepare<[ArticleId], PageRow>('SELECT at, codec, packed, pattern_id FROM pages WHERE article_id = ?')
  const textOf = db.prepare<[ArticleId], Packed>('SELECT codec, packed FROM article_texts WHERE article_id = ?')

  function idOf(pattern: KeptPattern, site: string, tally: CountTally): number {
    if (pattern.id === undefined || !isThere.get(pattern.id)) {
      pattern.id = Number(insertPattern.run(site, pattern.codec, pattern.packed).lastInsertRowid)
      tally.pageBytes += pattern.packed.length
    }
    return pattern.id
  }

  /** A pattern stays while a page needs it. */
  function letGo(patternId: number | null, tally: CountTally): void {
    if (patternId !== null) tally.pageBytes -= dropUnused.get({ id: patternId }) ?? 0
  }

  function dropped(left: Left[], tally: CountTally): number {
    for (const { bytes } of left) tally.pageBytes -= bytes
    for (const patternId of new Set(left.map(({ pattern_id }) => pattern_id))) letGo(patternId, tally)
    tally.pages -= left.length
    return left.length
  }

  return {
    pack(page, html, patterns) {
      return packPageOf(page, html, patterns, (site) => session.read(() => newestPattern.get(site)))
    },

    write(id, { at, site, pattern, codec, packed }, tally) {
      const old = replaced.get(id)
      const patternId = pattern ? idOf(pattern, site, tally) : null
      upsert.run(id, at, patternId, codec, packed)
      tally.pageBytes += packed.length - (old?.bytes ?? 0)
      if (!old) tally.pages++
      else if (old.pattern_id !== patternId) letGo(old.pattern_id, tally)
    },

    drop: (id, tally) => dropped(drop.all(id), tally),

    get(id) {
      const row = get.get(id)
      if (!row) return undefined
      const bytes = unpackPage(row, () => ({
        pattern: unpackPage(patternById.get(row.pattern_id ?? 0)!),
        text: Buffer.from(contentOf(textOf.get(id)!).html),
      }))
      return pageOf(row.at, bytes)
    },

    dropBefore: (date, limit, tally) => dropped(before.all(date, bounded(limit)), tally),
    dropOldest: (tally) => dropped(oldest.all(), tally),
  }
}
