/**
 * Name and password for a private feed. People write them into its address (`https://ada:secret@example.org/feed`); they leave
 * it as it comes in, and are kept apart from then on: an address can be shown, compared, logged and handed on, a password
 * cannot. They belong to the origin that they were given for, and are sent nowhere else.
 */
import type { WebAddress } from './address.ts'

export interface Credentials {
  user: string
  password: string
}

/** Those that somebody wrote into an address; undefined where there are none. */
export function credentialsIn(written: string): Credentials | undefined {
  const url = written.includes('@') ? URL.parse(written) : null
  if (!url || (url.username === '' && url.password === '')) return undefined
  return { user: percentDecoded(url.username), password: percentDecoded(url.password) }
}

/** The address as a person would write it for another reader; only for whoever asked for passwords. */
export function withCredentials(address: WebAddress, { user, password }: Credentials): string {
  const url = new URL(address)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}

/** Whether what was given for one address is meant for the other: the same origin, or the same host made safe. */
export function mayShareCredentials(from: string, to: string): boolean {
  const [one, other] = [URL.parse(from), URL.parse(to)]
  if (!one || !other) return false
  const isMadeSafe = one.protocol === 'http:' && other.protocol === 'https:' && !one.port && !other.port
  return one.origin === other.origin || (isMadeSafe && one.hostname === other.hostname)
}

/** None is like none. */
export function isSameLogin(one: Credentials | undefined, other: Credentials | undefined): boolean {
  return one?.user === other?.user && one?.password === other?.password
}

/** Any text, such as a sentence that quotes what somebody typed, without what stands before the @ of addresses in it. */
export function withoutCredentials(text: string): string {
  return text.includes('@') && BEHIND_SLASHES.test(text) ? text.replace(IN_ADDRESSES, '$1') : text
}

/** Most that have an @ have it elsewhere, as https://site.example/@ada; to see that is far cheaper than to look for whole addresses. */
const BEHIND_SLASHES = /[/\\]{2}[^\s/\\?#"<>]+@/
const IN_ADDRESSES = /([a-z][a-z0-9+.-]{0,40}:[/\\]{2,9})[^\s/\\?#"<>]{1,4000}@/gi

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
