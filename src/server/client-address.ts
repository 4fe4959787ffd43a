/** The address of the client. X-Forwarded-For and X-Forwarded-Proto are only honored if a trusted proxy sends them. */
import { type BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

export function addressOfClient(c: Context, trusted: BlockList | undefined): string {
  const peer = peerOf(c)
  if (!isTrusted(peer, trusted)) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  // From the right: addresses further left were added by untrusted senders.
  return forwarded.findLast((address) => isIP(address) > 0 && !isTrusted(address, trusted)) ?? peer
}

/** The key for rate limits: an IPv4 address, or the /64 network of an IPv6 address, because one machine usually has all of it. */
export function clientKey(c: Context, trusted: BlockList | undefined): string {
  const address = addressOfClient(c, trusted)
  return isIP(address) === 6 ? networkOf(address) : address
}

/** The first four groups of an IPv6 address, normalized. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const front = head.split(':').filter(Boolean)
  const back = (tail ?? '').split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array<string>(missing).fill('0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

export function isSecure(c: Context, trusted: BlockList | undefined): boolean {
  if (new URL(c.req.url).protocol === 'https:') return true
  return isTrusted(peerOf(c), trusted) && c.req.header('x-forwarded-proto') === 'https'
}

/** `unknown` without a socket, as in tests. */
export function peerOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }
  return incoming === undefined ? 'unknown' : (getConnInfo(c).remote.address ?? 'unknown').replace(/^::ffff:/, '')
}

export function isTrustedPeer(c: Context, trusted: BlockList | undefined): boolean {
  return isTrusted(peerOf(c), trusted)
}

function isTrusted(address: string, trusted: BlockList | undefined): boolean {
  const family = isIP(address)
  return trusted !== undefined && family > 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
