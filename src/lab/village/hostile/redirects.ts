/**
 * Sites that redirect: in loops, over long chains, to other protocols, and to private addresses in all notations. The
 * village itself is at 127.0.0.1, so that is the only address of its network that clients have to allow.
 */
import { feed, type HostileSite, reply, type Script, sendEndlessly } from './site.ts'

/**
 * 127.0.0.2 in all notations, and other non-public addresses. Names under `example` need the test's own name server.
 */
const PRIVATE: [name: string, location: string][] = [
  ['dotted', 'http://127.0.0.2/'],
  ['decimal', 'http://2130706434/'],
  ['hex', 'http://0x7f000002/'],
  ['hex-parts', 'http://0x7f.0x0.0x0.0x2/'],
  ['octal', 'http://0177.0.0.02/'],
  ['octal-whole', 'http://017700000002/'],
  ['short', 'http://127.2/'],
  ['trailing-dot', 'http://127.0.0.2./'],
  ['percent', 'http://%31%32%37.0.0.2/'],
  ['fullwidth', 'http://\u{ff11}\u{ff12}\u{ff17}.0.0.2/'],
  ['circled', 'http://\u{2460}\u{2461}\u{2466}.0.0.2/'],
  ['no-scheme', '//127.0.0.2/'],
  ['with-user', 'http://public.example@127.0.0.2/'],
  ['backslash', 'http:\\\\127.0.0.2\\'],
  ['zero', 'http://0.0.0.0/'],
  ['zero-short', 'http://0/'],
  ['ipv6-loopback', 'http://[::1]/'],
  ['ipv6-any', 'http://[::]/'],
  ['ipv6-mapped', 'http://[::ffff:127.0.0.2]/'],
  ['ipv6-mapped-hex', 'http://[::ffff:7f00:2]/'],
  ['ipv6-compatible', 'http://[::127.0.0.2]/'],
  ['ipv6-nat64', 'http://[64:ff9b::127.0.0.2]/'],
  ['ipv6-6to4', 'http://[2002:7f00:2::1]/'],
  ['ipv6-link-local', 'http://[fe80::1]/'],
  ['ipv6-unique-local', 'http://[fd00:ec2::254]/'],
  ['ten', 'http://10.0.0.1/'],
  ['one-seven-two', 'http://172.16.0.1/'],
  ['one-nine-two', 'http://192.168.0.1/'],
  ['carrier', 'http://100.64.0.1/'],
  ['link-local', 'http://169.254.1.1/'],
  ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata-decimal', 'http://2852039166/latest/meta-data/'],
  ['metadata-containers', 'http://169.254.170.2/v2/credentials'],
  ['metadata-alibaba', 'http://100.100.100.200/latest/meta-data/'],
  ['metadata-azure', 'http://168.63.129.16/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['name', 'http://intranet.example/'],
  ['name-metadata', 'http://metadata.example/'],
  ['port-ssh', 'http://127.0.0.1:22/'],
  ['port-redis', 'http://127.0.0.1:6379/'],
  ['file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:6379/_SET%20a%20b'],
  ['data', 'data:text/xml,<rss/>'],
  ['ftp', 'ftp://files.example/feed'],
  ['javascript', 'javascript:alert(1)'],
  ['blob', 'blob:http://127.0.0.1/1'],
  ['unix', 'unix:/var/run/docker.sock'],
]

/** Addresses of the names above, for the name server. */
export const PRIVATE_NAMES: Record<string, string[]> = {
  'intranet.example': ['10.0.0.7', '192.168.0.7'],
  'metadata.example': ['169.254.169.254'],
}

export const REDIRECT_SITES: HostileSite[] = [
  ...PRIVATE.map(
    ([name, location]): HostileSite => ({
      name: `to-${name}`,
      behavior: `redirects to ${location}`,
      expect: 'is not followed there, and is asked again no sooner than tomorrow',
      script: () => reply(302, '', { location: Buffer.from(location).toString('latin1') }),
      polls: ['forbidden-address'],
      after: { requests: isOfTheWeb(location) ? 2 : 1, waitMinutes: 24 * 60 },
    }),
  ),
  redirecting('loop', 'redirects to itself', 'redirects', ({ path }) => to(path), 1),
  redirecting('circle', 'redirects in a circle', 'redirects', ({ path }) => to(path === '/a' ? '/feed' : '/a'), 2),
  redirecting(
    'chain',
    'redirects five times to a feed',
    'read 3',
    ({ index }) => (index < 5 ? to(`/${index}`) : good()),
    6,
  ),
  redirecting(
    'long-chain',
    'redirects six times to a feed',
    'redirects',
    ({ index }) => (index < 6 ? to(`/${index}`) : good()),
    6,
  ),
  redirecting('endless-chain', 'redirects for ever', 'redirects', ({ index }) => to(`/${index}`), 6),
  redirecting('to-nonsense', 'redirects to what is no address', 'redirects', () => to('http://['), 1),
  redirecting('to-nothing', 'redirects without saying where', 'http 302', () => reply(302), 1),
  redirecting(
    'to-tls',
    'redirects to TLS where there is none',
    'unreachable',
    ({ port }) => to(`https://to-tls.localhost:${port}/`),
    1,
  ),
  redirecting(
    'redirects-and-pours',
    'sends a body without end with its redirect',
    'read 3',
    ({ path, socket }) => {
      if (path === '/there') return good()
      socket.write('HTTP/1.1 302 x\r\nlocation: /there\r\n\r\n')
      sendEndlessly(socket, 'x'.repeat(65_536))
      return undefined
    },
    2,
  ),
]

function redirecting(name: string, behavior: string, poll: string, script: Script, requests: number): HostileSite {
  const expect = poll === 'read 3' ? 'is followed' : 'is given up after a few'
  return { name, behavior, expect, script, polls: [poll], after: { requests } }
}

function to(location: string): Buffer {
  return reply(302, '', { location })
}

function good(): Buffer {
  return reply(200, feed(3))
}

/** It is requested again in the other host's queue before it turns out to be blocked. */
function isOfTheWeb(location: string): boolean {
  const { protocol, port } = new URL(location, 'http://127.0.0.1/')
  return /^https?:$/.test(protocol) && port === ''
}
