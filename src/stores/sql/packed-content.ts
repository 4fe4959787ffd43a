/**
 * Compresses long contents of entries in place: the column holds a byte for the codec (packing.ts) followed by the compressed text. With
 * full-text feeds this is nearly all of a store's data; a text of some kilobytes shrinks to two fifths. Plain text columns stay valid.
 */
import { packPlain, packText, unpackPage } from './packing.ts'

/** Shorter texts save little and stay in the row's own database page. */
export const MIN_PACKED_CONTENT_BYTES = 1_000

/** Brotli quality: takes 0.2 ms for 6 kB. The best quality takes 15 times as long and saves another eighth. */
const QUALITY = 5

/** Texts that compress badly, such as embedded images, are stored uncompressed, but as bytes, so they are not tried again. */
const MAX_PACKED_SHARE = 0.9

export async function packEntryContent(text: string): Promise<Buffer> {
  const uncompressed = packPlain(text)
  const compressed = await packText(text, QUALITY)
  const { codec, packed } =
    compressed.packed.length < uncompressed.packed.length * MAX_PACKED_SHARE ? compressed : uncompressed
  return Buffer.concat([Buffer.of(codec), packed])
}

export function unpackEntryContent(column: string | Buffer | null): string | null {
  if (column === null || typeof column === 'string') return column
  return unpackPage({ codec: column[0] ?? 0, packed: column.subarray(1) }).toString()
}
