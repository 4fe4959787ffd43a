/**
 * Addresses of this server as its clients see them: below --public-url; without it, at the scheme and host that a trusted proxy forwards, or
 * else at those of the request.
 */
import type { BlockList } from 'node:net'
import type { Context } from 'hono'
import { isTrustedPeer } from './client-address.ts'

export interface AddressParts {
  publicUrl?: string
  trustProxy?: BlockList
}

/** A host name or address with an optional port: whatever else a header contains is not written into links. */
const HOST = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i

/** Without a slash at the end. */
export function publicBase(c: Context, { publicUrl, trustProxy }: AddressParts): string {
  if (publicUrl) return publicUrl.replace(/\/+$/, '')
  const { protocol, host } = new URL(c.req.url)
  if (!isTrustedPeer(c, trustProxy)) return `${protocol}//${host}`
  const scheme = firstOf(c, 'x-forwarded-proto')
  const name = firstOf(c, 'x-forwarded-host')
  return `${/^https?$/.test(scheme) ? `${scheme}:` : protocol}//${HOST.test(name) ? name : host}`
}

/** The address of the request itself. */
export function publicRequestUrl(c: Context, parts: AddressParts): string {
  const { pathname, search } = new URL(c.req.url)
  return publicBase(c, parts) + pathname + search
}

/** Of several proxies, the outermost one writes the first value. */
function firstOf(c: Context, header: string): string {
  return (c.req.header(header) ?? '').split(',')[0]!.trim().toLowerCase()
}
