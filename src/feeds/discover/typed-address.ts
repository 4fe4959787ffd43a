/**
 * Addresses as people type and pages write them. Only http and https come out; the schemes that readers invented for
 * feeds (`feed:`, `pcast:` ...) name no transport, so what stands behind them is read as if it stood alone.
 */
import { type Credentials, credentialsIn, type WebAddress, webAddress } from '../../model/index.ts'

/** What a person typed, as an address to ask; undefined if it cannot be one. */
export function normaliseAddress(text: string): WebAddress | undefined {
  return givenAddress(text)?.url
}

/** Where what people type comes in: a name and password that stand in it leave it here. */
export function givenAddress(text: string): { url: WebAddress; credentials?: Credentials } | undefined {
  if (text.length > MAX_ADDRESS) return undefined
  const typed = text.trim().replace(/^<(.*)>$|^"(.*)"$|^'(.*)'$/, '$1$2$3')
  const bare = typed.trim().replace(READER_SCHEME, '').replace(PASTED_TWICE, '')
  const url = /^https?:/i.test(bare) ? writtenAddress(bare) : withoutScheme(bare.replace(/^\/\//, ''))
  const credentials = credentialsIn(bare)
  return url && { url, ...(credentials && { credentials }) }
}

/** What a page wrote, resolved against `base`; without its fragment. */
export function writtenAddress(written: string, base?: WebAddress): WebAddress | undefined {
  const bare = written.trim()
  if (bare === '' || bare.length > MAX_ADDRESS) return undefined
  if (READER_SCHEME.test(bare)) return normaliseAddress(bare)
  const address = webAddress(bare, base)
  if (address === undefined) return undefined
  const url = new URL(address)
  if (/^\.|\.\./.test(url.hostname)) return undefined // a path that was taken for a host
  url.hash = ''
  return webAddress(url.href)
}

/** Says whether two host names belong to one publisher. */
export type SameSite = (a: string, b: string) => boolean

/**
 * For callers that know no list of registrable domains: one name is the other, or a part of it, whether or not `www.`
 * stands before it.
 */
export const sameSiteByName: SameSite = (a, b) => {
  const one = a.replace(/^www\./, '')
  const other = b.replace(/^www\./, '')
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

/** Asks `sameSite` of two addresses. */
export function onOneSite(a: WebAddress, b: WebAddress, sameSite: SameSite): boolean {
  return sameSite(new URL(a).hostname, new URL(b).hostname)
}

/** Longer ones are accidents or attacks; browsers and servers refuse most of them as well. */
const MAX_ADDRESS = 4_000
const READER_SCHEME = /^(?:feed|rss|pcast|podcast|itpc|itms-podcast):(?:\/\/)?(?!\d+(?:\/|$))/i
const PASTED_TWICE = /^(?:https?:\/\/)+(?=https?:\/\/)/i

/** The web has moved to https; what runs on one's own machine has not. */
function withoutScheme(address: string): WebAddress | undefined {
  if (!/^[^\s/?#]/.test(address) || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)) return undefined
  const resolved = writtenAddress(`https://${address}`)
  if (resolved === undefined || credentialsIn(`https://${address}`)) return undefined // an e-mail address
  const { hostname } = new URL(resolved)
  if (isLocal(hostname, address)) return writtenAddress(`http://${address}`)
  return /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)\.?$/.test(hostname) ? resolved : undefined
}

/** An IP address only if it was typed as one: to a URL, "2024" is one too. */
function isLocal(hostname: string, typed: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return typed.startsWith('[') || (/^[\d.]+$/.test(hostname) && typed.startsWith(hostname))
}
