/**
 * Pages as they came, for archives. Each site has a pattern, the first page that we had of it, against which the others are
 * packed; when they no longer resemble it, because the site was built anew, the next one becomes the pattern. A page is also
 * packed against the text of its article: whoever changes or drops that has to write or drop the page as well.
 */
import type { ArticleId, Instant, RawPage } from '../../../model/index.ts'
import { contentOf } from './article-rows.ts'
import { ownAddress } from './columns.ts'
import { LONGEST_PATTERN, type Packed, packPage, unpack } from './packing.ts'
import { bounded, type Session } from './session.ts'

interface PatternRow extends Packed {
  id: number
}

interface PageRow extends Packed {
  at: Instant
  pattern_id: number | null
}

const RESEMBLES = 1 / 10 // of its size is the most that a page takes that resembles its pattern; mostly it is 1/30
const WORTH_A_PATTERN = 3 / 4 // of what it takes without one
const SMALL = 2000 // bytes that are not worth a pattern

/** Each within a transaction. */
export interface Pages {
  /** With the text that is kept of it, in HTML. */
  write(id: ArticleId, page: RawPage, html: string): void
  drop(id: ArticleId): void
  get(id: ArticleId): RawPage | undefined
  dropBefore(before: Instant, limit: number): number
  dropOldest(): number
}

export function createPages({ db }: Session): Pages {
  const newestPattern = db.prepare<[string], PatternRow>(
    'SELECT id, codec, packed FROM page_patterns WHERE site = ? ORDER BY id DESC LIMIT 1',
  )
  const patternById = db.prepare<[number], Packed>('SELECT codec, packed FROM page_patterns WHERE id = ?')
  const insertPattern = db.prepare('INSERT INTO page_patterns (site, codec, packed) VALUES (?, ?, ?)')
  const upsert = db.prepare(
    `INSERT INTO pages (article_id, at, pattern_id, codec, packed) VALUES (?, ?, ?, ?, ?) ON CONFLICT (article_id) DO UPDATE
     SET at = excluded.at, pattern_id = excluded.pattern_id, codec = excluded.codec, packed = excluded.packed`,
  )
  const drop = db.prepare<[ArticleId]>('DELETE FROM pages WHERE article_id = ?')
  const get = db.prepare<[ArticleId], PageRow>('SELECT at, codec, packed, pattern_id FROM pages WHERE article_id = ?')
  const before = db.prepare(
    'DELETE FROM pages WHERE article_id IN (SELECT article_id FROM pages WHERE at < ? ORDER BY at, article_id LIMIT ?)',
  )
  const textOf = db.prepare<[ArticleId], Packed>('SELECT codec, packed FROM article_texts WHERE article_id = ?')
  const oldest = db.prepare(
    'DELETE FROM pages WHERE article_id = (SELECT article_id FROM pages ORDER BY at, article_id LIMIT 1)',
  )

  function packed(bytes: Buffer, site: string, text: Buffer): Packed & { patternId: number | null } {
    const pattern = newestPattern.get(site)
    if (!pattern && bytes.length < SMALL) return { ...packPage(bytes), patternId: null }
    if (pattern) {
      const against = packPage(bytes, { pattern: unpack(pattern), text })
      if (isWorthIt(against, bytes)) return { ...against, patternId: pattern.id }
    }
    const content = bytes.subarray(0, LONGEST_PATTERN)
    const own = packPage(content)
    const { lastInsertRowid } = insertPattern.run(site, own.codec, own.packed)
    return { ...packPage(bytes, { pattern: content, text }), patternId: Number(lastInsertRowid) }
  }

  return {
    write(id, page, html) {
      const { codec, packed: bytes, patternId } = packed(bytesOf(page), new URL(page.url).host, Buffer.from(html))
      upsert.run(id, page.at, patternId, codec, bytes)
    },

    drop: (id) => drop.run(id),

    get(id) {
      const row = get.get(id)
      if (!row) return undefined
      const bytes = unpack(row, () => ({
        pattern: unpack(patternById.get(row.pattern_id ?? 0)!),
        text: Buffer.from(contentOf(textOf.get(id)!).html),
      }))
      return pageOf(row.at, bytes)
    },

    dropBefore: (date, limit) => before.run(date, bounded(limit)).changes,
    dropOldest: () => oldest.run().changes,
  }
}

/** Without asking what it would take alone, where that is clear. */
function isWorthIt({ packed }: Packed, bytes: Buffer): boolean {
  if (packed.length <= Math.max(SMALL, RESEMBLES * bytes.length)) return true
  return packed.length <= WORTH_A_PATTERN * packPage(bytes).packed.length
}

/** A line of JSON, then the body. */
function bytesOf({ url, status, headers, body }: RawPage): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ url, status, headers })}\n`), body])
}

function pageOf(at: Instant, bytes: Buffer): RawPage {
  const end = bytes.indexOf('\n')
  const { url, status, headers } = JSON.parse(bytes.toString('utf8', 0, end))
  return { url: ownAddress(url), at, status, headers, body: new Uint8Array(bytes.subarray(end + 1)) }
}
