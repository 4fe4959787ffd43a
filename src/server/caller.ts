/** Where a request comes from. What a proxy says of it is believed only of those who were named. */
import { type BlockList, isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

export function addressOfClient(c: Context, trusted: BlockList | undefined): string {
  const peer = peerOf(c)
  if (!isTrusted(peer, trusted)) return peer
  const named = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  // From the right: what stands further left was said by somebody whom we do not know.
  return named.findLast((address) => isIP(address) > 0 && !isTrusted(address, trusted)) ?? peer
}

export function isSecure(c: Context, trusted: BlockList | undefined): boolean {
  if (new URL(c.req.url).protocol === 'https:') return true
  return isTrusted(peerOf(c), trusted) && c.req.header('x-forwarded-proto') === 'https'
}

/** Without a socket, as in a test, it is nobody's. */
function peerOf(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: unknown }
  return incoming === undefined ? 'unknown' : (getConnInfo(c).remote.address ?? 'unknown').replace(/^::ffff:/, '')
}

function isTrusted(address: string, trusted: BlockList | undefined): boolean {
  const family = isIP(address)
  return trusted !== undefined && family > 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
