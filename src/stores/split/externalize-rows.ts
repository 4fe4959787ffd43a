/**
 * Externalizes rows on their way into a store: long texts, pages and signatures are put into the content store first, and their content
 * addresses take their place. Without a content store, texts and pages are only packed again.
 */
import type { EntryId, FeedId, Instant } from '../../model/index.ts'
import type { CargoKind, CargoValue, Library, LibraryText, TextOwner } from '../../ports/index.ts'
import { packPage, packText } from '../sql/packing.ts'
import { keyInRow } from '../sql/rows.ts'
import type { NamedRow, RowById } from './exported-rows.ts'
import { isMarked, marked, nameInBytes, shelved } from './names.ts'
import { PLAIN, pageParts, unpackedText } from './plain-rows.ts'
import { signByDay } from './sign-by-day.ts'

export interface RowExternalizationParts {
  library: Library | undefined
  /** Shorter texts stay in the store. */
  shortest: number
  rowById: RowById
}

/** The rows as the store keeps them. Their content is in the content store when this resolves. */
export type ExternalizeRows = (kind: CargoKind, rows: NamedRow[]) => Promise<NamedRow[]>

type MoveText = (owner: TextOwner, at: CargoValue | undefined, text: string | Uint8Array) => string

export function createRowExternalization({ library, shortest, rowById }: RowExternalizationParts): ExternalizeRows {
  const isLong = (text: CargoValue | undefined) =>
    library !== undefined && typeof text === 'string' && (text.length >= shortest || isMarked(text))

  async function externalizeRow(kind: CargoKind, row: NamedRow, move: MoveText): Promise<NamedRow> {
    switch (kind) {
      case 'entries': {
        const at = row.changed_at ?? row.seen_at
        const long = ['summary', 'content'].filter((name) => isLong(row[name]))
        const moved = long.map((name) => [name, move(entryOwner(row), at, row[name] as string)])
        return { ...row, ...Object.fromEntries(moved) }
      }
      case 'entry_versions': {
        const entry = isLong(row.body) ? await rowById('entries', row.entry_id as number) : undefined
        return entry ? { ...row, body: move(entryOwner(entry), row.until, row.body as string) } : row
      }
      case 'article_texts': {
        const { content } = unpackedText(row)
        if (row.codec !== PLAIN || !content) return row
        const { facts, text, html } = content
        const kept = isLong(text + html)
          ? { facts, text: move(articleOwner(row), row.fetched_at, JSON.stringify({ text, html })), html: '' }
          : content
        return { ...row, ...(await packText(JSON.stringify(kept))) }
      }
      case 'pages': {
        const parts = row.codec === PLAIN ? pageParts(row) : undefined
        if (!parts) return row
        const { head, body } = parts
        const isMoved = library && (body.length >= shortest || nameInBytes(body) !== undefined)
        const kept = isMoved ? Buffer.from(move(articleOwner(row), row.at, body)) : body
        return { ...row, pattern_id: null, ...(await packPage(Buffer.concat([head, kept]))) }
      }
      default:
        return row
    }
  }

  return async (kind, rows) => {
    if (kind === 'signatures') return library ? await externalizeSignatures(library, rows) : rows
    const texts: LibraryText[] = []
    const move: MoveText = (owner, at, content) => {
      const text = shelved(owner, Number(at) as Instant, content)
      texts.push(text)
      return marked(text.name)
    }
    const kept: NamedRow[] = []
    for (const row of rows) kept.push(await externalizeRow(kind, row, move))
    await library?.keep(texts)
    return kept
  }
}

async function externalizeSignatures(library: Library, rows: readonly NamedRow[]): Promise<NamedRow[]> {
  const half = (value: CargoValue | undefined) => BigInt.asUintN(32, BigInt(Number(value)))
  await signByDay(
    library,
    rows.map(({ entry_id, at, placed_at, simhash_high, simhash_low, signature }) => ({
      id: entry_id as EntryId,
      at: Number(at) as Instant,
      simhash: (half(simhash_high) << 32n) | half(simhash_low),
      signature: signature as Uint8Array,
      placedAt: Number(placed_at ?? at) as Instant,
    })),
  )
  return rows.map((row) => ({ ...row, signature: new Uint8Array() }))
}

function entryOwner(row: NamedRow): TextOwner {
  return { kind: 'entry', feedId: row.feed_id as FeedId, key: keyInRow(row as { key: string; url: string | null }) }
}

function articleOwner({ article_id }: NamedRow): TextOwner {
  return { kind: 'article', articleId: article_id as never }
}
