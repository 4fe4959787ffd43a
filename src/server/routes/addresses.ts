/**
 * Addresses as they are sent: each a plain string or an object with what is known beside the address, and the text of an OPML
 * file; either or both. Whether an address is any good is for the crawl to say, one by one.
 */

import type { Address } from '../../crawl/index.ts'
import { type OpmlReading, parseOpmlInPieces } from '../../feeds/index.ts'
import { letOthers } from '../../ports/index.ts'
import { Problem } from '../problem.ts'

interface AddressGiven {
  url: string
  kind: 'any' | 'feed'
  title?: string | undefined
  folder?: string | undefined
  siteUrl?: string | undefined
  credentials?: { user: string; password: string } | undefined
}

/** `skipped` counts outlines of the OPML file that name no address of the web. */
export async function addressesIn({
  addresses,
  opml,
}: {
  addresses: (string | AddressGiven)[]
  opml?: string | undefined
}): Promise<{ addresses: Address[]; skipped: number }> {
  const given = addresses.map(addressOf)
  if (opml === undefined) return { addresses: given, skipped: 0 }
  const reading = await readOpml(opml)
  if (reading.kind === 'not-opml') {
    throw new Problem(
      400,
      `the file is not OPML: ${reading.reason}`,
      'export it again from the reader that has your feeds',
    )
  }
  const listed = reading.outlines.map(
    ({ kind, ...rest }): Address => ({ ...rest, kind: kind === 'feed' ? 'feed' : 'any' }),
  )
  return { addresses: given.concat(listed), skipped: reading.unusable.length }
}

function addressOf(given: string | AddressGiven): Address {
  if (typeof given === 'string') return { url: given, kind: 'any' }
  const { url, kind, title, folder, siteUrl, credentials } = given
  return {
    url,
    kind,
    ...(title !== undefined && { title }),
    ...(folder !== undefined && { folder }),
    ...(siteUrl !== undefined && { siteUrl }),
    ...(credentials && { credentials }),
  }
}

/** A long list in pieces, between which others get their turn. */
async function readOpml(text: string): Promise<OpmlReading> {
  const pieces = parseOpmlInPieces(text)
  for (;;) {
    const step = pieces.next()
    if (step.done) return step.value
    await letOthers()
  }
}
