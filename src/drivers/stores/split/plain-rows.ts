/** Rows of texts and pages that are packed, and the same unpacked: what is damaged stays as it is, on both sides. */
import type { CargoValue } from '../../../ports/index.ts'
import { type Content, contentIfAny, contentOf } from '../sql/article-rows.ts'
import { unpackPage } from '../sql/packing.ts'

type Named = Record<string, CargoValue>

/** The codec of what is not packed. */
export const PLAIN = 0

/** A row of article_texts, and what it says. */
export function unpackedText(row: Named): { row: Named; content?: Content } {
  const content = contentIfAny(packedIn(row))
  if (!content) return { row }
  return { row: { ...row, codec: PLAIN, packed: Buffer.from(JSON.stringify(content)) }, content }
}

/** A row of pages; `rowAt` gives the pattern and the text against which it was packed. */
export async function unpackedPage(
  row: Named,
  rowAt: (kind: 'article_texts' | 'page_patterns', id: number) => Promise<Named | undefined>,
): Promise<Named> {
  const pattern = row.pattern_id === null ? undefined : await rowAt('page_patterns', row.pattern_id as number)
  const text = pattern && (await rowAt('article_texts', row.article_id as number))
  try {
    const bytes = unpackPage(packedIn(row), () => ({
      pattern: unpackPage(packedIn(pattern!)),
      text: Buffer.from(contentOf(packedIn(text!)).html),
    }))
    return { ...row, codec: PLAIN, pattern_id: null, packed: bytes }
  } catch {
    return row
  }
}

/** A line about the page, with its end, and the page. Undefined if the row is packed. */
export function pageParts({ codec, packed }: Named): { head: Buffer; body: Buffer } | undefined {
  if (codec !== PLAIN) return undefined
  const bytes = bufferOf(packed)
  const end = bytes.indexOf('\n') + 1
  return { head: bytes.subarray(0, end), body: bytes.subarray(end) }
}

function packedIn({ codec, packed }: Named): { codec: number; packed: Buffer } {
  return { codec: Number(codec), packed: bufferOf(packed) }
}

function bufferOf(bytes: CargoValue | undefined): Buffer {
  const { buffer, byteOffset, length } = bytes as Uint8Array
  return Buffer.from(buffer, byteOffset, length)
}
