/**
 * Who can reach an address that we would listen on. Without accounts the server listens where only this machine can ask, unless
 * its owner says that he knows. A name is looked up first, and what was looked at is what is listened on.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { ServerError } from './server-error.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** The address that this host stands for. Throws a ServerError where others can reach it and `isKnown` is not said. */
export async function listeningAddress(host: string, isKnown: boolean): Promise<string> {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const address = isIP(bare) ? bare : await addressNamed(bare)
  if (isKnown || isLoopback(address)) return address
  throw new ServerError(
    `other machines can reach ${host}${address === bare ? '' : ` (${address})`}, and there is no account to log in with`,
    'make an account with freshet user add NAME; or listen on 127.0.0.1; or say --listen-without-login, and everybody who reaches it may read and change everything',
  )
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
