/**
 * Who can reach an address that we would listen on. Without accounts everybody may do everything where only this machine can ask;
 * elsewhere nobody may do anything, unless its owner says that he knows. A name is looked up first, and what was looked at is
 * what is listened on.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { ServerError } from './server-error.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** The address that this host stands for, and whether other machines can reach it. Throws a ServerError where there is none. */
export async function resolveListenAddress(host: string): Promise<{ address: string; isReachable: boolean }> {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const address = isIP(bare) ? bare : await addressNamed(bare)
  return { address, isReachable: !isLoopback(address) }
}

async function addressNamed(name: string): Promise<string> {
  const found = await lookup(name).catch(() => undefined)
  if (found?.address) return found.address // of an empty name there is none, which would be all of them
  throw new ServerError(`"${name}" is no address of this machine`, 'choose another with --host')
}

function isLoopback(address: string): boolean {
  const [plain = ''] = address.split('%')
  return LOOPBACK.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
