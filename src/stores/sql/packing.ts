/**
 * Compresses texts and pages. Each row names its codec, so a better one can be added while older rows stay readable.
 *
 * Texts are short: Brotli, with its built-in dictionary of several languages, makes them a sixth smaller than Zstandard. Pages are long
 * and similar: Zstandard compresses them with a *pattern* as dictionary, which is another page of the same site, so shared parts cost
 * next to nothing. (News pages of 55 sites, median 115 kB: 31.7 kB each without a pattern, 5.8 kB with one.) The text of the article is
 * stored beside its page, so it is part of the dictionary, too. (On 181 news pages this saves another 1.2 kB each.)
 *
 * Compression is slow, so it runs in other threads; being asynchronous, it cannot run within a transaction. Decompression takes a
 * twentieth of the time and is synchronous.
 */
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliDecompressSync,
  constants,
  zstdCompress,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { HintedError } from '../../model/index.ts'

export interface Packed {
  codec: number
  packed: Buffer
}

const PLAIN = 0
const ZSTD = 1
const ZSTD_WITH_PATTERN = 2
const BROTLI = 3
const ZSTD_WITH_PATTERN_AND_TEXT = 4

const TEXT_QUALITY = 10 // takes some milliseconds and is an eighth smaller than 9
/** Longer texts would take Brotli tenths of a second, and Zstandard compresses them equally well. */
const MAX_BROTLI_BYTES = 100_000
const PAGE_LEVEL = 6 // 9 takes 50 % longer and saves 3 %
const MIN_PACKED_BYTES = 100 // shorter texts are not worth compressing

/** Bytes of a pattern that are used; larger pages are mostly unique data. */
export const MAX_PATTERN_BYTES = 1 << 20

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)

export function packPlain(text: string): Packed {
  return { codec: PLAIN, packed: Buffer.from(text) }
}

/** `quality`: Brotli quality, 0 to 11. */
export async function packText(text: string, quality = TEXT_QUALITY): Promise<Packed> {
  const plain = packPlain(text)
  const bytes = plain.packed
  if (bytes.length < MIN_PACKED_BYTES) return plain
  if (bytes.length > MAX_BROTLI_BYTES) return { codec: ZSTD, packed: await zstd(bytes, { params: level(PAGE_LEVEL) }) }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return { codec: BROTLI, packed: await brotli(bytes, { params }) }
}

/** Data that serves as the dictionary for a page. */
export interface PageContext {
  pattern: Buffer
  text: Buffer
}

export async function packPage(page: Buffer, context?: PageContext): Promise<Packed> {
  if (!context || !hasPatterns()) return { codec: ZSTD, packed: await zstd(page, { params: level(PAGE_LEVEL) }) }
  const dictionary = Buffer.concat([context.pattern, context.text])
  const params = { ...level(PAGE_LEVEL), [constants.ZSTD_c_windowLog]: windowLog(page.length + dictionary.length) }
  return { codec: ZSTD_WITH_PATTERN_AND_TEXT, packed: await zstd(page, { params, dictionary }) }
}

/** `context` is called only if the codec needs it. */
export function unpackPage({ codec, packed }: Packed, context?: () => PageContext): Buffer {
  switch (codec) {
    case PLAIN:
      return packed
    case ZSTD:
      return zstdDecompressSync(packed)
    case BROTLI:
      return brotliDecompressSync(packed)
    case ZSTD_WITH_PATTERN:
    case ZSTD_WITH_PATTERN_AND_TEXT: {
      if (!context) throw new Error('could not unpack a page: its pattern is missing')
      if (!hasPatterns())
        throw new HintedError(
          'could not unpack a page: this Node version has no Zstandard dictionaries',
          'Use Node 24.6 or later.',
        )
      const { pattern, text } = context()
      const dictionary = codec === ZSTD_WITH_PATTERN ? pattern : Buffer.concat([pattern, text])
      return zstdDecompressSync(packed, { dictionary })
    }
    default:
      throw new HintedError(`could not unpack a page: unknown codec ${codec}`, 'Install the newest version of Freshet.')
  }
}

/** The window must reach across the whole page to the start of the pattern. */
function windowLog(bytes: number): number {
  return Math.min(24, Math.max(17, Math.ceil(Math.log2(bytes + 1))))
}

function level(n: number): Record<number, number> {
  return { [constants.ZSTD_c_compressionLevel]: n }
}

let patternsWork: boolean | undefined

/** The first releases of Node 24 accept a dictionary but ignore it. */
function hasPatterns(): boolean {
  if (patternsWork === undefined) {
    const sample = Buffer.from(Array.from({ length: 400 }, (_, i) => (i * i * 7 + (i >> 2)) & 255))
    patternsWork = zstdCompressSync(sample, { dictionary: sample }).length < 100
  }
  return patternsWork
}
