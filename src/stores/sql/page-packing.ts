/**
 * How a page becomes bytes and is packed against its site's pattern; where patterns are kept is the stores' business. When pages no
 * longer resemble the pattern, because the site was built anew, the next one becomes the pattern.
 */
import type { Instant, RawPage } from '../../model/index.ts'
import { ownAddress } from './columns.ts'
import { LONGEST_PATTERN, type Packed, packPage, unpackPage } from './packing.ts'

/** As it is in the store; one that is still to be written has no id. */
export interface KeptPattern extends Packed {
  id?: number
}

/** By site, what a batch of pages has found or made. */
export type Patterns = Map<string, KeptPattern>

export interface PackedPage extends Packed {
  at: Instant
  site: string
  /** Which others of the batch may share. */
  pattern?: KeptPattern
}

const RESEMBLES = 1 / 10 // of its size is the most that a page takes that resembles its pattern; mostly it is 1/30
const WORTH_A_PATTERN = 3 / 4 // of what it takes without one
const SMALL = 2000 // bytes that are not worth a pattern

/** With the text that is kept of it, in HTML; `newest` is asked for the pattern that the store has. */
export async function packPageOf(
  page: RawPage,
  html: string,
  patterns: Patterns,
  newest: (site: string) => Promise<KeptPattern | undefined>,
): Promise<PackedPage> {
  const site = new URL(page.url).host
  const [bytes, text] = [bytesOf(page), Buffer.from(html)]
  const pattern = patterns.get(site) ?? (await newest(site))
  if (!pattern && bytes.length < SMALL) return { ...(await packPage(bytes)), at: page.at, site }
  if (pattern) {
    const against = await packPage(bytes, { pattern: unpackPage(pattern), text })
    if (await isWorthIt(against, bytes)) return { ...against, at: page.at, site, pattern }
  }
  const content = bytes.subarray(0, LONGEST_PATTERN)
  const own: KeptPattern = await packPage(content)
  patterns.set(site, own)
  return { ...(await packPage(bytes, { pattern: content, text })), at: page.at, site, pattern: own }
}

/** Without asking what it would take alone, where that is clear. */
async function isWorthIt({ packed }: Packed, bytes: Buffer): Promise<boolean> {
  if (packed.length <= Math.max(SMALL, RESEMBLES * bytes.length)) return true
  return packed.length <= WORTH_A_PATTERN * (await packPage(bytes)).packed.length
}

/** A line of JSON, then the body. */
function bytesOf({ url, status, headers, body }: RawPage): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ url, status, headers })}\n`), body])
}

export function pageOf(at: Instant, bytes: Buffer): RawPage {
  const end = bytes.indexOf('\n')
  const { url, status, headers } = JSON.parse(bytes.toString('utf8', 0, end))
  return { url: ownAddress(url), at, status, headers, body: new Uint8Array(bytes.subarray(end + 1)) }
}
