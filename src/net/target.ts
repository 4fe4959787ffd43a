/** Parses request targets: which addresses are allowed, and their parts. */
import { type FeedCredentials, type WebAddress, webAddress } from '../model/index.ts'
import { FORBIDDEN_PORTS } from './forbidden-ports.ts'
import { NetError } from './net-error.ts'

/**
 * Removes the fragment, which is never sent, and the credentials: those of users are stored separately from addresses, and those in a
 * redirect are ignored. Throws a NetTrouble for addresses that are not allowed.
 */
export function parseTarget(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url) throw new NetError('unreachable', 'not a valid address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetError('forbidden-address', `only http and https are supported, not ${url.protocol.slice(0, 20)}`)
  if (FORBIDDEN_PORTS.has(portOf(url))) throw new NetError('forbidden-address', `port ${url.port} is not allowed`)
  url.hash = ''
  url.username = ''
  url.password = ''
  return url
}

/** The address as reported to callers. Throws a NetTrouble if it is too long. */
export function reportedAddress(url: URL): WebAddress {
  const address = webAddress(url.href)
  if (address === undefined) throw new NetError('forbidden-address', 'it is too long')
  return address
}

/** IPv6 addresses without brackets. */
export function hostnameOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

/** RFC 7617, in UTF-8. */
export function basicAuthorization({ user, password }: FeedCredentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
