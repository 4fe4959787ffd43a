/**
 * Externalizes rows on their way into a store: long texts, pages and signatures are put into the content store first, and their content
 * addresses take their place. Without a content store, texts and pages are only packed again.
 */
import type { EntryId, FeedId, Instant } from '../../model/index.ts'
import type { ColumnValue, ContentOwner, ContentStore, ContentText, RowKind } from '../../ports/index.ts'
import { packPage, packText } from '../sql/packing.ts'
import { entryKeyOf } from '../sql/rows.ts'
import {
  contentAddressInBytes,
  contentReference,
  isContentReference,
  packExternalContent,
} from './content-addresses.ts'
import type { NamedRow, RowById } from './exported-rows.ts'
import { fileSignaturesByDay } from './file-signatures.ts'
import { PLAIN, pageParts, unpackedText } from './plain-rows.ts'

export interface RowExternalizationParts {
  contentStore: ContentStore | undefined
  /** Shorter texts stay in the store (in characters). */
  minLength: number
  rowById: RowById
}

/** Resolves with the rows as the store holds them, once the content store has their content. */
export type ExternalizeRows = (kind: RowKind, rows: NamedRow[]) => Promise<NamedRow[]>

type ExternalizeText = (owner: ContentOwner, at: ColumnValue | undefined, text: string | Uint8Array) => string

export function createRowExternalization({
  contentStore,
  minLength,
  rowById,
}: RowExternalizationParts): ExternalizeRows {
  const isLong = (text: ColumnValue | undefined) =>
    contentStore !== undefined && typeof text === 'string' && (text.length >= minLength || isContentReference(text))

  async function externalizeRow(kind: RowKind, row: NamedRow, externalize: ExternalizeText): Promise<NamedRow> {
    switch (kind) {
      case 'entries': {
        const at = row.changed_at ?? row.seen_at
        const long = ['summary', 'content'].filter((name) => isLong(row[name]))
        const externalized = long.map((name) => [name, externalize(entryOwner(row), at, row[name] as string)])
        return { ...row, ...Object.fromEntries(externalized) }
      }
      case 'entry_versions': {
        const entry = isLong(row.body) ? await rowById('entries', row.entry_id as number) : undefined
        return entry ? { ...row, body: externalize(entryOwner(entry), row.until, row.body as string) } : row
      }
      case 'article_texts': {
        const { content } = unpackedText(row)
        if (row.codec !== PLAIN || !content) return row
        const { facts, text, html } = content
        const stored = isLong(text + html)
          ? { facts, text: externalize(articleOwner(row), row.fetched_at, JSON.stringify({ text, html })), html: '' }
          : content
        return { ...row, ...(await packText(JSON.stringify(stored))) }
      }
      case 'pages': {
        const parts = row.codec === PLAIN ? pageParts(row) : undefined
        if (!parts) return row
        const { head, body } = parts
        const isMoved = contentStore && (body.length >= minLength || contentAddressInBytes(body) !== undefined)
        const stored = isMoved ? Buffer.from(externalize(articleOwner(row), row.at, body)) : body
        return { ...row, pattern_id: null, ...(await packPage(Buffer.concat([head, stored]))) }
      }
      default:
        return row
    }
  }

  return async (kind, rows) => {
    if (kind === 'signatures') return contentStore ? await externalizeSignatures(contentStore, rows) : rows
    const texts: ContentText[] = []
    const externalize: ExternalizeText = (owner, at, content) => {
      const text = packExternalContent(owner, Number(at) as Instant, content)
      texts.push(text)
      return contentReference(text.address)
    }
    const stored: NamedRow[] = []
    for (const row of rows) stored.push(await externalizeRow(kind, row, externalize))
    await contentStore?.putTexts(texts)
    return stored
  }
}

async function externalizeSignatures(contentStore: ContentStore, rows: readonly NamedRow[]): Promise<NamedRow[]> {
  const half = (value: ColumnValue | undefined) => BigInt.asUintN(32, BigInt(Number(value)))
  await fileSignaturesByDay(
    contentStore,
    rows.map(({ entry_id, at, grouped_at, simhash_high, simhash_low, signature }) => ({
      id: entry_id as EntryId,
      at: Number(at) as Instant,
      simhash: (half(simhash_high) << 32n) | half(simhash_low),
      signature: signature as Uint8Array,
      groupedAt: Number(grouped_at ?? at) as Instant,
    })),
  )
  return rows.map((row) => ({ ...row, signature: new Uint8Array() }))
}

function entryOwner(row: NamedRow): ContentOwner {
  return { kind: 'entry', feedId: row.feed_id as FeedId, key: entryKeyOf(row as { key: string; url: string | null }) }
}

function articleOwner({ article_id }: NamedRow): ContentOwner {
  return { kind: 'article', articleId: article_id as never }
}
