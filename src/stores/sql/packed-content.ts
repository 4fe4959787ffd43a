/**
 * What an entry says at length, in the column in which its text stood: a byte that names the codec (packing.ts), and the text, packed.
 * Of feeds with whole articles that is nearly all that a store holds; a text of some kilobytes takes two fifths of its room.
 * Who reads a row need not know: a column of text is as it was.
 */
import { asItIs, packText, unpackPage } from './packing.ts'

/** Bytes from which it is done: shorter texts save little, and stay in the row's own page of the file. */
export const LONG_CONTENT = 1_000

/** Of Brotli: a fifth of a millisecond for six kilobytes; the best takes fifteen times as long, and saves another eighth. */
const QUALITY = 5

/** What packs badly, pictures in the text for instance, stays as it is, but is bytes then, so that nobody tries again. */
const HARDLY_LESS = 0.9

export async function packedContent(text: string): Promise<Buffer> {
  const plain = asItIs(text)
  const made = await packText(text, QUALITY)
  const { codec, packed } = made.packed.length < plain.packed.length * HARDLY_LESS ? made : plain
  return Buffer.concat([Buffer.of(codec), packed])
}

export function contentInColumn(column: string | Buffer | null): string | null {
  if (column === null || typeof column === 'string') return column
  return unpackPage({ codec: column[0] ?? 0, packed: column.subarray(1) }).toString()
}
