/**
 * Addresses as they are sent: each a plain string or an object with what is known beside the address, or an OPML file. Whether an
 * address is any good is for the crawl to say, one by one.
 */

import type { Address } from '../../crawl/index.ts'
import { parseOpmlInPieces } from '../../feeds/index.ts'
import { inSlices } from '../../runtime/index.ts'
import { omitUndefined } from '../../views/index.ts'
import { Problem } from '../problem.ts'

interface AddressInput {
  url: string
  kind: 'any' | 'feed'
  title?: string | undefined
  folder?: string | undefined
  siteUrl?: string | undefined
  credentials?: { user: string; password: string } | undefined
}

/** Outlines of one file; of a longer one nobody could follow all. */
const MOST_OUTLINES = 100_000

export function parseAddresses(given: (string | AddressInput)[]): Address[] {
  return given.map(addressOf)
}

/** `skipped` counts outlines that name no address of the web. */
export async function parseOpmlAddresses(opml: string): Promise<{ addresses: Address[]; skipped: number }> {
  const reading = await inSlices(parseOpmlInPieces(opml, MOST_OUTLINES))
  if (reading.kind === 'not-opml')
    throw new Problem(400, `the file is not OPML: ${reading.reason}`, 'export it again from your reader')
  if (reading.isCut)
    throw new Problem(413, 'the file lists too many feeds', `the limit is ${MOST_OUTLINES}; send it in parts`)
  const addresses = reading.outlines.map(
    ({ kind, ...rest }): Address => ({ ...rest, kind: kind === 'feed' ? 'feed' : 'any' }),
  )
  return { addresses, skipped: reading.unusable.length }
}

function addressOf(given: string | AddressInput): Address {
  if (typeof given === 'string') return { url: given, kind: 'any' }
  const { url, kind, title, folder, siteUrl, credentials } = given
  return { url, kind, ...omitUndefined({ title, folder, siteUrl, credentials }) }
}
