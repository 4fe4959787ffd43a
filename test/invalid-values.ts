/** Invalid addresses, numbers, dates and strings, drawn from a seed. */
export interface Random {
  next(): number
  one<T>(of: readonly T[]): T
  is(probability: number): boolean
}

/** Number of hostile hosts: bad-0.example and so on. */
export const HOSTS = 24

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, one: (of) => of[Math.floor(next() * of.length)]!, is: (probability) => next() < probability }
}

export const INVALID_ADDRESSES = [
  'http://',
  'https://',
  'http:///',
  'http://[hub',
  'http://[::1%25eth0]/',
  'https://a b.example/',
  'http://a:99999/',
  'http://%zz/',
  'http://xn--/',
  'http://xn--a-.example/',
  'http://..',
  'http://a..b.example/',
  'http://\u0000/',
  'mailto:ada@example.org',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'urn:uuid:1',
  'tag:a.example,2026:x',
  'blob:http://a.example/1',
  'feed://',
  'feed:https://',
  '//',
  '//[',
  '\\\\a\\b',
  '',
  ' ',
  '#',
  '\u0000',
  '%',
  `http://a.example/${'x'.repeat(9000)}`,
  `http://${'a.'.repeat(2000)}example/`,
]
const STRANGE = [
  'HTTP://BAD-1.EXAMPLE',
  'http://user:pa%ss@bad-2.example/feed',
  'http://bad-3.example:0/',
  'http://bad-3.example:/feed',
  'http://☃.example/',
  'http://bad-4.example/\ud800',
  'http://bad-4.example/%ff%00',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://com/',
  'http://co.uk/',
  'http://.example/',
  'http://bad-5.example./feed',
  'https:bad-6.example',
  'http://bad-7.example\t/x\n',
  'feed:bad-8.example/feed',
  `http://bad-9.example/${'ü'.repeat(2000)}`,
  '?page=2',
  '/feed?page=3',
  '../../..',
  'http://bad-1.example/feed',
  'http://well-0.example/feed',
]

export function badAddress(random: Random): string {
  if (random.is(0.6)) return random.one(INVALID_ADDRESSES)
  if (random.is(0.7)) return random.one(STRANGE)
  return `http://bad-${Math.floor(random.next() * HOSTS)}.example/${random.one(['feed', 'page', 'hub', ''])}`
}

export const NUMBERS = [
  '-1',
  '0',
  '1',
  '60',
  'NaN',
  'Infinity',
  '1e400',
  '99999999999999999999',
  '1.5',
  '0x10',
  '12a',
  '',
  ' ',
]
export const DATES = [
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Mon, 99 Foo 2026 25:61:61 +9999',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0000-00-00',
  'Mon, 05 Jan 2026 08:00:00 GMT',
  '2026-01-05',
  'yesterday',
  'é',
]
const WORDS = [
  '',
  '\u0000',
  'é',
  '\ud800',
  '🦊',
  '<b>x',
  '&#x0;',
  '&#xD800;',
  '__proto__',
  'constructor',
  'x'.repeat(3000),
]

export function badNumber(random: Random): string {
  return random.one(random.is(0.5) ? NUMBERS : DATES)
}

export const badWord = (random: Random) => random.one(WORDS)
export const badDate = (random: Random) => random.one([...DATES, ...NUMBERS])
