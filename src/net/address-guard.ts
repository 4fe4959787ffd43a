/**
 * Blocks requests to internal addresses (SSRF protection). A feed, page or redirect may name any address, including our own machine, its
 * neighbors or a cloud's metadata service; only public and explicitly allowed addresses are connected to.
 *
 * The guard checks IP addresses, never names: a name is resolved first, and the connection goes to the checked address, so a name that
 * resolves differently the second time gains nothing (DNS rebinding). Ranges: the IANA registries of special-purpose addresses. Allowed
 * networks are only for addresses that users gave: see `connect`. An IPv6 address that wraps an IPv4 address is checked by the latter.
 */
import { BlockList, isIP } from 'node:net'

export interface AddressGuard {
  /** Why this address is blocked ("a private address"); undefined if it is allowed. */
  blockReason(address: string): string | undefined
  /** Whether the address is allowed for everybody. */
  isPublic(address: string): boolean
}

/** `allowed`: networks such as `10.0.0.0/8` or `::1/128`, or single addresses, that are exempt. */
export function createAddressGuard(allowed: string[]): AddressGuard {
  const allowedNetworks = networkList(allowed)

  function objection(address: string, except = allowedNetworks): string | undefined {
    const plain = address.split('%', 1)[0]! // fe80::1%eth0
    const family = isIP(plain)
    if (family === 0) return 'not an IP address'
    if (contains(except, plain)) return undefined
    if (family === 4) return NOT_PUBLIC.find(({ list }) => list.check(plain, 'ipv4'))?.what
    const inside = wrappedIPv4(plain)
    if (inside) return objection(inside, except)
    if (!GLOBAL_IPV6.check(plain, 'ipv6')) return 'not a public address'
    return NOT_PUBLIC.find(({ list }) => list.check(plain, 'ipv6'))?.what
  }

  return { blockReason: (address) => objection(address), isPublic: (address) => !objection(address, NOWHERE) }
}

/** Throws on an invalid network, which is an error in the configuration. */
export function networkList(list: string[]): BlockList {
  const found = new BlockList()
  for (const network of list) {
    const [address = '', prefix, ...rest] = network.trim().split('/')
    const bits = isIP(address) === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (!isIP(address) || rest.length > 0 || length < 0 || length > bits)
      throw new Error(`"${network}" is not a network; write it like 10.0.0.0/8 or fd00::/8`)
    found.addSubnet(address, length, bits === 32 ? 'ipv4' : 'ipv6')
  }
  return found
}

export function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

const NOWHERE = new BlockList()

const NOT_PUBLIC = [
  { what: 'an address of this network', ranges: ['0.0.0.0/8'] },
  { what: 'a loopback address', ranges: ['127.0.0.0/8'] },
  { what: 'a private address', ranges: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] },
  { what: 'a carrier-grade NAT address', ranges: ['100.64.0.0/10'] },
  { what: 'a link-local address', ranges: ['169.254.0.0/16'] },
  { what: 'a metadata service of a cloud', ranges: ['168.63.129.16/32'] }, // Azure's, in public address space
  { what: 'a multicast address', ranges: ['224.0.0.0/4'] },
  {
    what: 'a reserved address',
    ranges: ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  },
  { what: 'a reserved address', ranges: ['240.0.0.0/4', '2001::/23', '2001:db8::/32', '3fff::/20'] },
].map(({ what, ranges }) => ({ what, list: networkList(ranges) }))

const GLOBAL_IPV6 = networkList(['2000::/3'])

/** ::ffff:0:0/96 (mapped), 64:ff9b::/96 (NAT64) and 2002::/16 (6to4) contain an IPv4 address. */
function wrappedIPv4(address: string): string | undefined {
  const groups = ipv6Groups(address)
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (start === '0:0:0:0:0:ffff' || start === '64:ff9b:0:0:0:0') return ipv4Of(groups[6]!, groups[7]!)
  if (groups[0] === 0x2002) return ipv4Of(groups[1]!, groups[2]!)
  return undefined
}

/** The eight groups of a valid IPv6 address in any notation. */
function ipv6Groups(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => `${pair(a, b)}:${pair(c, d)}`)
  const [head = '', tail] = hex.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

function pair(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
