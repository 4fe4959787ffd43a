/** Addresses as we use them: what may be visited at all, and what is in them beside the host. */
import { type WebAddress, webAddress } from '../../model/index.ts'
import { FORBIDDEN_PORTS } from './forbidden-ports.ts'
import { NetTrouble } from './trouble.ts'

/** Without its fragment, which is nobody's business but the reader's. Throws trouble where nobody can go. */
export function parseTarget(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url) throw new NetTrouble('unreachable', 'that is not an address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetTrouble('forbidden-address', `only http and https are visited, not ${url.protocol.slice(0, 20)}`)
  if (FORBIDDEN_PORTS.has(portOf(url)))
    throw new NetTrouble('forbidden-address', `port ${url.port} is not one for web pages`)
  url.hash = ''
  return url
}

/** As it is told to those who asked. Throws trouble where it is too long to be one. */
export function addressOf(url: URL): WebAddress {
  const address = webAddress(url.href)
  if (address === undefined) throw new NetTrouble('forbidden-address', 'it is too long')
  return address
}

/** IPv6 without its brackets. */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

/** The header for the credentials in an address; undefined if there are none. */
export function basicAuthorization(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined
  const credentials = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
