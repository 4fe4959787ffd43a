/** Unpacks exported rows of texts and pages. Damaged ones stay as they are. */
import type { ColumnValue } from '../../ports/index.ts'
import { type ArticleContent, readContent, tryReadContent } from '../sql/article-rows.ts'
import { unpackPage } from '../sql/packing.ts'
import type { NamedRow, RowById } from './exported-rows.ts'

/** The codec of unpacked bytes. */
export const PLAIN = 0

/** A row of article_texts, and its content. */
export function unpackedText(row: NamedRow): { row: NamedRow; content?: ArticleContent } {
  const content = tryReadContent(packedIn(row))
  if (!content) return { row }
  return { row: { ...row, codec: PLAIN, packed: Buffer.from(JSON.stringify(content)) }, content }
}

/** A row of pages, which may be packed against a pattern and a text. */
export async function unpackedPage(row: NamedRow, rowById: RowById): Promise<NamedRow> {
  const pattern = row.pattern_id === null ? undefined : await rowById('page_patterns', row.pattern_id as number)
  const text = pattern && (await rowById('article_texts', row.article_id as number))
  try {
    const bytes = unpackPage(packedIn(row), () => ({
      pattern: unpackPage(packedIn(pattern!)),
      text: Buffer.from(readContent(packedIn(text!)).html),
    }))
    return { ...row, codec: PLAIN, pattern_id: null, packed: bytes }
  } catch {
    return row
  }
}

/** A line about the page, with its end, and the page. Undefined if the row is packed. */
export function pageParts({ codec, packed }: NamedRow): { head: Buffer; body: Buffer } | undefined {
  if (codec !== PLAIN) return undefined
  const bytes = bufferOf(packed)
  const end = bytes.indexOf('\n') + 1
  return { head: bytes.subarray(0, end), body: bytes.subarray(end) }
}

function packedIn({ codec, packed }: NamedRow): { codec: number; packed: Buffer } {
  return { codec: Number(codec), packed: bufferOf(packed) }
}

function bufferOf(bytes: ColumnValue | undefined): Buffer {
  const { buffer, byteOffset, length } = bytes as Uint8Array
  return Buffer.from(buffer, byteOffset, length)
}
