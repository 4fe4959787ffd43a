/**
 * What `POST /api/feeds` takes: `addresses`, each a plain string or an object with what is known beside the address, and
 * `opml`, the text of an OPML file; either or both. Whether an address is any good is for the crawl to say, one by one.
 */
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Address } from '../../crawl/index.ts'
import { type OpmlReading, parseOpmlInPieces } from '../../feeds/index.ts'
import { Problem } from '../problem.ts'
import { readCredentials } from './credentials.ts'

export const EXPECTED_ADDRESSES = 'send {"addresses": ["https://example.org"]}, or {"opml": "<opml…"}, or both'

/** `skipped` counts outlines of the OPML file that name no address of the web. */
export async function addressesInBody(
  body: Record<string, unknown>,
): Promise<{ addresses: Address[]; skipped: number }> {
  const { addresses = [], opml } = body
  if (!Array.isArray(addresses)) throw wrong('addresses is not a list')
  if (opml === undefined && addresses.length === 0) throw wrong('there is no address in it')

  const given = addresses.map(readAddress)
  if (opml === undefined) return { addresses: given, skipped: 0 }
  if (typeof opml !== 'string') throw wrong('opml is not a text')

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
  return { addresses: given.concat(listed), skipped: reading.skipped }
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

function readAddress(given: unknown): Address {
  if (typeof given === 'string') return { url: given, kind: 'any' }
  if (typeof given !== 'object' || given === null) throw wrong('an address is neither a text nor an object')
  const { url, kind = 'any', title, folder, siteUrl, credentials } = given as Record<string, unknown>
  if (typeof url !== 'string') throw wrong('an address has no url')
  if (kind !== 'any' && kind !== 'feed') throw wrong('the kind of an address is neither "any" nor "feed"')
  const login = credentials === undefined ? {} : { credentials: readCredentials(credentials) }
  return { url, kind, ...login, ...texts({ title, folder, siteUrl }) }
}

function texts<Name extends string>(fields: Record<Name, unknown>): { [Field in Name]?: string } {
  const kept: { [Field in Name]?: string } = {}
  for (const [name, value] of Object.entries(fields) as [Name, unknown][]) {
    if (value !== undefined && typeof value !== 'string') throw wrong(`the ${name} of an address is not a text`)
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function wrong(what: string): Problem {
  return new Problem(400, what, EXPECTED_ADDRESSES)
}
