/**
 * Addresses that may be visited. What comes from outside calls itself an address; a `WebAddress` has been parsed, and that
 * can be done only here: so whoever holds one may ask for its host without being told that there is none. What cannot be
 * parsed is dropped where it comes in, and a store's rows are parsed again when they are read.
 *
 * An address stays as it was written, byte for byte, where that says the same: hubs know feeds under their written names.
 * A name and password in it are dropped: what people give as such is kept apart (credentials.ts), and what a stranger
 * writes there is none of ours.
 */
export type WebAddress = string & { readonly of: 'web' }

/** Characters, ours: longer ones are accidents or attacks. */
export const LONGEST_ADDRESS = 8_192

/** The address of something on the web (http or https), resolved against `base` if there is one; undefined if it is none. */
export function webAddress(given: string | undefined, base?: WebAddress): WebAddress | undefined {
  if (given === undefined || given.length > LONGEST_ADDRESS) return undefined
  if (PLAIN.test(given) && !given.includes('xn--')) return given as WebAddress
  const isWhole = WHOLE.test(given)
  if (isWhole && !given.includes('@')) return URL.canParse(given) ? (given as WebAddress) : undefined
  const url = URL.parse(given, base)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (isWhole && url.username === '' && url.password === '') return given as WebAddress
  url.username = ''
  url.password = ''
  return url.href.length > LONGEST_ADDRESS ? undefined : (url.href as WebAddress)
}

/** Scheme, host and port of an address, an address itself. */
export function originOf(address: WebAddress): WebAddress {
  return new URL(address).origin as WebAddress
}

/** Servers never see what stands behind the #. */
export function withoutFragment(address: WebAddress): WebAddress {
  const at = address.indexOf('#')
  return at < 0 ? address : (address.slice(0, at) as WebAddress)
}

/** Nearly all of them: a name of letters, digits and hyphens can be nothing but a host, so nobody has to parse it to know. An @ behind it is no login's. */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,63}(?:[/?#][!-~]*)?$/

/** Says where it leads without a base, in characters that can be seen. */
const WHOLE = /^https?:\/\/[^\s\p{C}]+$/iu
