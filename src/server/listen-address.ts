/**
 * Determines whether other machines can reach the listen address. Without accounts, every caller is an admin if only this machine can
 * connect; otherwise login is required, unless the operator disabled it. A host name is resolved once, and the checked address is the one
 * to listen on.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { ServerError } from './server-error.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Resolves a host name. Throws a ServerError if it has no address. */
export async function resolveListenAddress(host: string): Promise<{ address: string; isReachable: boolean }> {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const address = isIP(bare) ? bare : await resolveName(bare)
  return { address, isReachable: !isLoopback(address) }
}

async function resolveName(name: string): Promise<string> {
  const found = await lookup(name).catch(() => undefined)
  if (found?.address) return found.address // an empty name resolves to nothing, and would listen on all addresses
  throw new ServerError(`"${name}" is not an address of this machine`, 'choose another with --host')
}

function isLoopback(address: string): boolean {
  const [plain = ''] = address.split('%')
  return LOOPBACK.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
