/**
 * Serializes pages and compresses them against the pattern of their site; the stores keep the patterns. When pages no longer resemble the
 * pattern, because the site was redesigned, the next page becomes the pattern.
 */
import type { Instant, RawPage } from '../../model/index.ts'
import { requiredAddress } from './columns.ts'
import { MAX_PATTERN_BYTES, type Packed, packPage, unpackPage } from './packing.ts'

/** A pattern; one that is not stored yet has no id. */
export interface StoredPattern extends Packed {
  id?: number
}

/** Patterns found or created for a batch of pages, by site. */
export type Patterns = Map<string, StoredPattern>

export interface PackedPage extends Packed {
  at: Instant
  site: string
  /** Other pages of the batch may share it. */
  pattern?: StoredPattern
}

const MAX_RESEMBLING_SHARE = 1 / 10 // a page that resembles its pattern compresses to less than this; typically to 1/30
const MAX_SHARE_WITH_PATTERN = 3 / 4 // of its compressed size without a pattern
const MIN_PATTERN_BYTES = 2000 // smaller pages are not worth a pattern

/** `html` is the stored text of the article. `newest` returns the stored pattern of a site. */
export async function packRawPage(
  page: RawPage,
  html: string,
  patterns: Patterns,
  newest: (site: string) => Promise<StoredPattern | undefined>,
): Promise<PackedPage> {
  const site = new URL(page.url).host
  const [bytes, text] = [bytesOf(page), Buffer.from(html)]
  const pattern = patterns.get(site) ?? (await newest(site))
  if (!pattern && bytes.length < MIN_PATTERN_BYTES) return { ...(await packPage(bytes)), at: page.at, site }
  if (pattern) {
    const packedAgainst = await packPage(bytes, { pattern: unpackPage(pattern), text })
    if (await isWorthIt(packedAgainst, bytes)) return { ...packedAgainst, at: page.at, site, pattern }
  }
  const content = bytes.subarray(0, MAX_PATTERN_BYTES)
  const ownPattern: StoredPattern = await packPage(content)
  patterns.set(site, ownPattern)
  return { ...(await packPage(bytes, { pattern: content, text })), at: page.at, site, pattern: ownPattern }
}

/** Compares with the size without a pattern only if the result is not clearly small. */
async function isWorthIt({ packed }: Packed, bytes: Buffer): Promise<boolean> {
  if (packed.length <= Math.max(MIN_PATTERN_BYTES, MAX_RESEMBLING_SHARE * bytes.length)) return true
  return packed.length <= MAX_SHARE_WITH_PATTERN * (await packPage(bytes)).packed.length
}

/** One line of JSON, then the body. */
function bytesOf({ url, status, headers, body }: RawPage): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ url, status, headers })}\n`), body])
}

export function rawPageOf(at: Instant, bytes: Buffer): RawPage {
  const end = bytes.indexOf('\n')
  const { url, status, headers } = JSON.parse(bytes.toString('utf8', 0, end))
  return { url: requiredAddress(url), at, status, headers, body: new Uint8Array(bytes.subarray(end + 1)) }
}
