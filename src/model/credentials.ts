/**
 * User name and password of a private feed. Users write them into its address (`https://ada:secret@example.org/feed`). They are
 * removed on input and stored separately, because addresses are shown, compared, logged and shared. They are sent only to the
 * origin they were given for.
 */
import type { WebAddress } from './address.ts'

export interface FeedCredentials {
  user: string
  password: string
}

/** The credentials written into an address; undefined if there are none. */
export function credentialsIn(written: string): FeedCredentials | undefined {
  const url = written.includes('@') ? URL.parse(written) : null
  if (!url || (url.username === '' && url.password === '')) return undefined
  return { user: percentDecoded(url.username), password: percentDecoded(url.password) }
}

/** The address with its credentials. Only for callers that explicitly asked for passwords. */
export function withCredentials(address: WebAddress, { user, password }: FeedCredentials): string {
  const url = new URL(address)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}

/** Whether credentials given for `from` may be sent to `to`: same origin, or the same host upgraded to https on default ports. */
export function mayShareCredentials(from: string, to: string): boolean {
  const [source, target] = [URL.parse(from), URL.parse(to)]
  if (!source || !target) return false
  const isUpgrade = source.protocol === 'http:' && target.protocol === 'https:' && !source.port && !target.port
  return source.origin === target.origin || (isUpgrade && source.hostname === target.hostname)
}

/** Two missing logins are equal. */
export function isSameLogin(a: FeedCredentials | undefined, b: FeedCredentials | undefined): boolean {
  return a?.user === b?.user && a?.password === b?.password
}

/** Removes user names and passwords from all addresses in a text, such as an error message that quotes user input. */
export function withoutCredentials(text: string): string {
  return text.includes('@') && BEHIND_SLASHES.test(text) ? text.replace(IN_ADDRESSES, '$1') : text
}

/** A cheap check first: most text with an @ has it elsewhere, as in https://site.example/@ada. */
const BEHIND_SLASHES = /[/\\]{2}[^\s/\\?#"<>]+@/
const IN_ADDRESSES = /([a-z][a-z0-9+.-]{0,40}:[/\\]{2,9})[^\s/\\?#"<>]{1,4000}@/gi

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
