/**
 * Parses addresses as users type them and pages write them. Only http and https are accepted; pseudo-schemes of feed readers (`feed:`,
 * `pcast:` ...) are removed.
 */
import { credentialsIn, type FeedCredentials, type WebAddress, webAddress } from '../../model/index.ts'

/** An address typed by a user; undefined if invalid. */
export function normalizeUserAddress(text: string): WebAddress | undefined {
  return parseUserAddress(text)?.url
}

/** Parses an address typed by a user and separates its credentials. */
export function parseUserAddress(text: string): { url: WebAddress; credentials?: FeedCredentials } | undefined {
  if (text.length > MAX_ADDRESS) return undefined
  const typed = text.trim().replace(/^<(.*)>$|^"(.*)"$|^'(.*)'$/, '$1$2$3')
  const bare = typed.trim().replace(READER_SCHEME, '').replace(PASTED_TWICE, '')
  const url = /^https?:/i.test(bare) ? resolvePageLink(bare) : withoutScheme(bare.replace(/^\/\//, ''))
  const credentials = credentialsIn(bare)
  return url && { url, ...(credentials && { credentials }) }
}

/** An address in a page, resolved against `base`, without its fragment. */
export function resolvePageLink(written: string, base?: WebAddress): WebAddress | undefined {
  const bare = written.trim()
  if (bare === '' || bare.length > MAX_ADDRESS) return undefined
  if (READER_SCHEME.test(bare)) return normalizeUserAddress(bare)
  const address = webAddress(bare, base)
  if (address === undefined) return undefined
  const url = new URL(address)
  if (/^\.|\.\./.test(url.hostname)) return undefined // a path mistaken for a host
  url.hash = ''
  return webAddress(url.href)
}

/** Whether two host names belong to one publisher. */
export type SameSite = (a: string, b: string) => boolean

/** The default without a list of registrable domains: one name equals the other or is its subdomain, ignoring `www.`. */
export const sameSiteByName: SameSite = (a, b) => {
  const hostA = a.replace(/^www\./, '')
  const hostB = b.replace(/^www\./, '')
  return hostA === hostB || hostA.endsWith(`.${hostB}`) || hostB.endsWith(`.${hostA}`)
}

/** Applies `sameSite` to two addresses. */
export function isSameSite(a: WebAddress, b: WebAddress, sameSite: SameSite): boolean {
  return sameSite(new URL(a).hostname, new URL(b).hostname)
}

/** Longer ones are mistakes or attacks; most browsers and servers refuse them, too. */
const MAX_ADDRESS = 4_000
const READER_SCHEME = /^(?:(?:web\+)?feed|rss|pcast|podcast|itpc|itms-podcast):(?:\/\/)?(?!\d+(?:\/|$))/i
const PASTED_TWICE = /^(?:https?:\/\/)+(?=https?:\/\/)/i

/** Defaults to https, except for local addresses. */
function withoutScheme(address: string): WebAddress | undefined {
  if (!/^[^\s/?#]/.test(address) || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)) return undefined
  const resolved = resolvePageLink(`https://${address}`)
  if (resolved === undefined || credentialsIn(`https://${address}`)) return undefined // an e-mail address
  const { hostname } = new URL(resolved)
  if (isLocal(hostname, address)) return resolvePageLink(`http://${address}`)
  return /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)\.?$/.test(hostname) ? resolved : undefined
}

/** An IP address only if it was typed as one: URL parsers also turn "2024" into one. */
function isLocal(hostname: string, typed: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return typed.startsWith('[') || (/^[\d.]+$/.test(hostname) && typed.startsWith(hostname))
}
