/** Addresses as we use them: what may be visited at all, and what is in them beside the host. */
import { type Credentials, type WebAddress, webAddress } from '../../model/index.ts'
import { FORBIDDEN_PORTS } from './forbidden-ports.ts'
import { NetTrouble } from './trouble.ts'

/**
 * Without its fragment, which is nobody's business but the reader's, and without a name and password: those that were given
 * are kept apart from addresses, and what a server writes into a redirect is no password of ours. Throws trouble where
 * nobody can go.
 */
export function parseTarget(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url) throw new NetTrouble('unreachable', 'that is not an address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetTrouble('forbidden-address', `only http and https are visited, not ${url.protocol.slice(0, 20)}`)
  if (FORBIDDEN_PORTS.has(portOf(url)))
    throw new NetTrouble('forbidden-address', `port ${url.port} is not one for web pages`)
  url.hash = ''
  url.username = ''
  url.password = ''
  return url
}

/** As it is told to those who asked. Throws trouble where it is too long to be one. */
export function addressTold(url: URL): WebAddress {
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

/** RFC 7617, in UTF-8. */
export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
