/**
 * Parses addresses of requests: strings, objects with further details, or an OPML file. The crawl checks each address.
 */

import type { Address } from '../../crawl/index.ts'
import { parseOpmlInSteps } from '../../feeds/index.ts'
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

/** Outlines per file, far more than the feeds that a user may follow. */
const MAX_OUTLINES = 100_000

export function parseAddresses(input: (string | AddressInput)[]): Address[] {
  return input.map(addressOf)
}

/** `skipped` counts outlines without a web address. */
export async function parseOpmlAddresses(opml: string): Promise<{ addresses: Address[]; skipped: number }> {
  const parsed = await inSlices(parseOpmlInSteps(opml, MAX_OUTLINES))
  if (parsed.kind === 'not-opml')
    throw new Problem(400, `the file is not OPML: ${parsed.reason}`, 'export it again from your reader')
  if (parsed.isCut)
    throw new Problem(413, 'the file lists too many feeds', `the limit is ${MAX_OUTLINES}; send it in parts`)
  const addresses = parsed.outlines.map(
    ({ kind, ...rest }): Address => ({ ...rest, kind: kind === 'feed' ? 'feed' : 'any' }),
  )
  return { addresses, skipped: parsed.unusable.length }
}

function addressOf(input: string | AddressInput): Address {
  if (typeof input === 'string') return { url: input, kind: 'any' }
  const { url, kind, title, folder, siteUrl, credentials } = input
  return { url, kind, ...omitUndefined({ title, folder, siteUrl, credentials }) }
}
