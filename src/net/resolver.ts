/**
 * Resolves host names. Queries DNS directly, because the system's resolver (getaddrinfo) blocks one of four threads, and a few dead name
 * servers would hold up everything. Only names unknown to DNS are passed to the system's resolver: they may be in the hosts file or known
 * to the local network.
 *
 * `localhost` and its subdomains are always this machine; `invalid` does not exist (RFC 6761).
 */
import { promises as dns } from 'node:dns'
import type { Millis } from '../model/index.ts'
import { codeOf, NetError } from './net-error.ts'

export interface HostResolver {
  /** At least one address, IPv4 first. */
  addressesOf(name: string): Promise<string[]>
  /** Cancels pending queries. */
  close(): void
}

const IPV6_WAIT_MS = 200 // for name servers that answer for IPv4 but never for IPv6
const MAX_ADDRESSES = 4 // of each family: not all of a hundred need to be tried

/** `servers`: DNS servers to use instead of the system's, such as `192.0.2.53` or `127.0.0.1:5353`. */
export function createHostResolver(servers?: string[]): HostResolver {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)

  async function resolveBoth(name: string): Promise<string[]> {
    const ipv6 = settle(resolver.resolve6(name))
    const ipv4 = await settle(resolver.resolve4(name))
    const answers = [ipv4, await (ipv4.addresses.length > 0 ? withTimeout(ipv6, IPV6_WAIT_MS) : ipv6)]
    const found = answers.flatMap(({ addresses }) => addresses.slice(0, MAX_ADDRESSES))
    if (found.length > 0) return found
    const isUnknown = answers.every(({ code }) => UNKNOWN_NAME.includes(code))
    if (!isUnknown) throw new NetError('unreachable', `DNS lookup failed for ${name}`)
    return servers ? [] : lookUpInSystem(name)
  }

  return {
    async addressesOf(name) {
      const plain = name.replace(/\.$/, '')
      if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1']
      const addresses = plain.endsWith('.invalid') ? [] : await resolveBoth(name)
      if (addresses.length === 0) throw new NetError('unreachable', `no such host: ${name}`)
      return addresses
    },
    close: () => resolver.cancel(),
  }
}

/** Error codes of c-ares for unknown names, and for the absence of DNS. */
const UNKNOWN_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED']

interface Answer {
  addresses: string[]
  code: string
}

const NOTHING: Answer = { addresses: [], code: 'ENODATA' }

function settle(question: Promise<string[]>): Promise<Answer> {
  return question.then(
    (addresses) => ({ ...NOTHING, addresses }),
    (error) => ({ ...NOTHING, code: codeOf(error) }),
  )
}

async function withTimeout(answer: Promise<Answer>, ms: Millis): Promise<Answer> {
  const { promise: timeout, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(resolve, ms, NOTHING)
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer))
}

async function lookUpInSystem(name: string): Promise<string[]> {
  try {
    const found = await dns.lookup(name, { all: true, order: 'ipv4first' })
    return found.slice(0, 2 * MAX_ADDRESSES).map(({ address }) => address)
  } catch {
    return []
  }
}
