/**
 * Pages as they came, for archives: packed beforehand, because that takes milliseconds, then written in the transaction that
 * records the article. Each site has a pattern, the first page that we had of it; when pages no longer resemble it, because
 * the site was built anew, the next one becomes the pattern.
 */
import type { ArticleId, Instant, RawPage } from '../../../model/index.ts'
import { LONGEST_PATTERN, type Packed, packPage, unpack } from './packing.ts'
import { bounded, type Session } from './session.ts'

interface Pattern extends Packed {
  site: string
  /** Absent until it is written. */
  id?: number
  /** Unpacked. */
  content: Buffer
}

export interface PackedPage extends Packed {
  at: Instant
  pattern?: Pattern
}

interface PatternRow {
  id: number
  site: string
  codec: number
  packed: Buffer
}

interface PageRow {
  at: Instant
  codec: number
  packed: Buffer
  pattern_id: number | null
}

const RESEMBLES = 1 / 10 // of its size is what a page takes that resembles its pattern; mostly 1/30
const WORTH_A_PATTERN = 3 / 4 // of what it takes without one
const SMALLEST_PATTERN = 2000 // bytes

export interface Pages {
  /** Packs them, those of one site against the same pattern. */
  pack(pages: (RawPage | undefined)[]): Promise<(PackedPage | undefined)[]>
  /** Within a transaction. */
  write(id: ArticleId, page: PackedPage): void
  drop(id: ArticleId): void
  get(id: ArticleId): RawPage | undefined
  dropBefore(before: Instant, limit: number): number
  dropOldest(limit: number): number
}

export function createPages({ db, read }: Session): Pages {
  const newestPattern = db.prepare<[string], PatternRow>(
    'SELECT * FROM page_patterns WHERE site = ? ORDER BY id DESC LIMIT 1',
  )
  const pattern = db.prepare<[number], PatternRow>('SELECT * FROM page_patterns WHERE id = ?')
  const hasPattern = db.prepare<[number]>('SELECT 1 FROM page_patterns WHERE id = ?')
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
  const oldest = db.prepare(
    'DELETE FROM pages WHERE article_id IN (SELECT article_id FROM pages ORDER BY at, article_id LIMIT ?)',
  )

  async function pack(pages: (RawPage | undefined)[]): Promise<(PackedPage | undefined)[]> {
    const patterns = new Map<string, Pattern>()
    const packed: (PackedPage | undefined)[] = []
    for (const page of pages) packed.push(page && (await packOne(page, patterns)))
    return packed
  }

  async function packOne(page: RawPage, patterns: Map<string, Pattern>): Promise<PackedPage> {
    const { at } = page
    const bytes = bytesOf(page)
    const site = new URL(page.url).host
    const known = patterns.get(site) ?? (await read(() => newestPattern.get(site)))
    const pattern = known && withContent(known)
    if (!pattern && bytes.length < SMALLEST_PATTERN) return { at, ...(await packPage(bytes)) }
    if (pattern) {
      patterns.set(site, pattern)
      const packed = await packPage(bytes, pattern.content)
      if (packed.packed.length <= Math.max(SMALLEST_PATTERN, RESEMBLES * bytes.length))
        return { at, ...packed, pattern }
      const alone = await packPage(bytes)
      if (packed.packed.length <= WORTH_A_PATTERN * alone.packed.length) return { at, ...packed, pattern }
    }
    const content = bytes.subarray(0, LONGEST_PATTERN)
    const own: Pattern = { site, content, ...(await packPage(content)) }
    patterns.set(site, own)
    return { at, ...(await packPage(bytes, content)), pattern: own }
  }

  return {
    pack,

    write(id, { at, codec, packed, pattern }) {
      // Since it was packed, the last page that needed the pattern may have gone, and the pattern with it.
      if (pattern && (pattern.id === undefined || !hasPattern.get(pattern.id)))
        pattern.id = Number(insertPattern.run(pattern.site, pattern.codec, pattern.packed).lastInsertRowid)
      upsert.run(id, at, pattern?.id ?? null, codec, packed)
    },

    drop: (id) => drop.run(id),

    get(id) {
      const row = get.get(id)
      if (!row) return undefined
      return pageOf(
        row.at,
        unpack(row, () => unpack(pattern.get(row.pattern_id ?? 0)!)),
      )
    },

    dropBefore: (date, limit) => before.run(date, bounded(limit)).changes,
    dropOldest: (limit) => oldest.run(bounded(limit)).changes,
  }
}

function withContent(row: PatternRow | Pattern): Pattern {
  return 'content' in row ? row : { ...row, content: unpack(row) }
}

/** A line of JSON, then the body. */
function bytesOf({ url, status, headers, body }: RawPage): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ url, status, headers })}\n`), body])
}

function pageOf(at: Instant, bytes: Buffer): RawPage {
  const end = bytes.indexOf('\n')
  const { url, status, headers } = JSON.parse(bytes.toString('utf8', 0, end))
  return { url, at, status, headers, body: new Uint8Array(bytes.subarray(end + 1)) }
}
