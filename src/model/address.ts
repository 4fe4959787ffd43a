/**
 * Validated http(s) addresses. A `WebAddress` can only be created here, by parsing, so any code that has one may rely on its host.
 * Unparsable addresses are dropped on input, and stored ones are parsed again when read.
 *
 * Addresses keep their spelling byte for byte where possible: hubs identify feeds by it. User names and passwords are removed:
 * those given by users are stored separately (credentials.ts), those in documents are ignored.
 */
export type WebAddress = string & { readonly of: 'web' }

/** Characters. Our own limit: longer ones are mistakes or attacks. */
export const MAX_ADDRESS_LENGTH = 8_192

/** An http or https address, resolved against `base` if given; undefined if invalid. */
export function webAddress(given: string | undefined, base?: WebAddress): WebAddress | undefined {
  if (given === undefined || given.length > MAX_ADDRESS_LENGTH) return undefined
  if (PLAIN.test(given) && !given.includes('xn--')) return given as WebAddress
  const isWhole = ABSOLUTE.test(given)
  if (isWhole && !given.includes('@')) return URL.canParse(given) ? (given as WebAddress) : undefined
  const url = URL.parse(given, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (isWhole && url.username === '' && url.password === '') return given as WebAddress
  url.username = ''
  url.password = ''
  return url.href.length > MAX_ADDRESS_LENGTH ? undefined : (url.href as WebAddress)
}

/** Scheme, host and port of an address, as an address. */
export function originOf(address: WebAddress): WebAddress {
  return new URL(address).origin as WebAddress
}

/** Fragments are never sent to servers. */
export function withoutFragment(address: WebAddress): WebAddress {
  const at = address.indexOf('#')
  return at < 0 ? address : (address.slice(0, at) as WebAddress)
}

/** Fast path for nearly all addresses: a host name of letters, digits and hyphens is valid without parsing. An @ after it belongs to the path. */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,63}(?:[/?#][!-~]*)?$/

/** Absolute, and without whitespace or control characters. */
const ABSOLUTE = /^https?:\/\/[^\s\p{C}]+$/iu
