/**
 * How texts and pages are packed. A row names its codec, so that a better one may come and older rows stay readable.
 *
 * Texts are short: Brotli, which knows the words of several languages beforehand, packs them a sixth smaller than Zstandard.
 * Pages are long, and alike: Zstandard packs them against a *pattern*, another page of their site, and what both have costs
 * next to nothing. (On news pages of 55 sites, 115 kB in the middle: 31.7 kB each without a pattern, 5.8 kB with one.) The
 * text of the article is kept beside its page, so the page is packed against that, too. (On 181 news pages, that saves
 * another 1.2 kB of each.)
 *
 * To pack takes long, and the longer the more there is: it is done by other threads, and since it answers with a promise,
 * it cannot be done within a transaction. To unpack takes a twentieth of that, and is done at once.
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

const TEXT_QUALITY = 10 // takes some milliseconds, and an eighth less room than 9
/** Bytes of a text on which that would be spent for tenths of a second; of what is longer, Zstandard makes as little. */
const LONG_TEXT = 100_000
const PAGE_LEVEL = 6 // 9 takes half as long again and saves 3 %
const SMALL = 100 // bytes that are not worth packing

/** Of a pattern, what is compared with; larger pages are mostly data of their own. */
export const LONGEST_PATTERN = 1 << 20

const brotli = promisify(brotliCompress)
const zstd = promisify(zstdCompress)

export function asItIs(text: string): Packed {
  return { codec: PLAIN, packed: Buffer.from(text) }
}

/** `quality`: Brotli's, from 0 to 11. */
export async function packText(text: string, quality = TEXT_QUALITY): Promise<Packed> {
  const plain = asItIs(text)
  const bytes = plain.packed
  if (bytes.length < SMALL) return plain
  if (bytes.length > LONG_TEXT) return { codec: ZSTD, packed: await zstd(bytes, { params: level(PAGE_LEVEL) }) }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return { codec: BROTLI, packed: await brotli(bytes, { params }) }
}

/** What a page is packed against, because it was there before the page came. */
export interface Against {
  pattern: Buffer
  text: Buffer
}

export async function packPage(page: Buffer, against?: Against): Promise<Packed> {
  if (!against || !hasPatterns()) return { codec: ZSTD, packed: await zstd(page, { params: level(PAGE_LEVEL) }) }
  const dictionary = Buffer.concat([against.pattern, against.text])
  const params = { ...level(PAGE_LEVEL), [constants.ZSTD_c_windowLog]: windowLog(page.length + dictionary.length) }
  return { codec: ZSTD_WITH_PATTERN_AND_TEXT, packed: await zstd(page, { params, dictionary }) }
}

/** `against` is asked for only if the codec needs it. */
export function unpackPage({ codec, packed }: Packed, against?: () => Against): Buffer {
  switch (codec) {
    case PLAIN:
      return packed
    case ZSTD:
      return zstdDecompressSync(packed)
    case BROTLI:
      return brotliDecompressSync(packed)
    case ZSTD_WITH_PATTERN:
    case ZSTD_WITH_PATTERN_AND_TEXT: {
      if (!against) throw new Error('a page that was packed with a pattern has none')
      if (!hasPatterns())
        throw new HintedError('could not unpack a page: this Node has no dictionaries for Zstandard', 'Use Node 24.6.')
      const { pattern, text } = against()
      const dictionary = codec === ZSTD_WITH_PATTERN ? pattern : Buffer.concat([pattern, text])
      return zstdDecompressSync(packed, { dictionary })
    }
    default:
      throw new HintedError(`could not unpack a page: unknown codec ${codec}`, 'Install the newest version of Freshet.')
  }
}

/** How far back a match may lie: across the whole page to the beginning of the pattern. */
function windowLog(bytes: number): number {
  return Math.min(24, Math.max(17, Math.ceil(Math.log2(bytes + 1))))
}

function level(n: number): Record<number, number> {
  return { [constants.ZSTD_c_compressionLevel]: n }
}

let patternsWork: boolean | undefined

/** The first releases of Node 24 take a dictionary and do not look at it. */
function hasPatterns(): boolean {
  if (patternsWork === undefined) {
    const sample = Buffer.from(Array.from({ length: 400 }, (_, i) => (i * i * 7 + (i >> 2)) & 255))
    patternsWork = zstdCompressSync(sample, { dictionary: sample }).length < 100
  }
  return patternsWork
}
