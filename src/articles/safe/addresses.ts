/**
 * Sanitizes URLs: absolute, http(s), without credentials. They are parsed as in browsers and serialized again, whatever
 * tricks hide the scheme. A long base URL and a million short ones would become gigabytes, so the URLs of a document have a
 * total limit; beyond it they are omitted.
 */
import { escapeAttribute } from './escape-attribute.ts'

export interface Addresses {
  /** For links. */
  link(value: string | undefined): string | undefined
  /** For pictures, sound and video. */
  media(value: string | undefined): string | undefined
}

const MAX_URL_LENGTH = 4_000
const MIN_TOTAL_CHARS = 65_536

export function createAddresses(baseUrl: string | undefined, documentLength: number): Addresses {
  const base = baseUrl !== undefined && baseUrl.length <= MAX_URL_LENGTH ? URL.parse(baseUrl) : null
  let remainingChars = MIN_TOTAL_CHARS + 2 * documentLength

  function written(value: string | undefined, schemes: ReadonlySet<string>): string | undefined {
    if (remainingChars < 0 || value === undefined || value.length > MAX_URL_LENGTH || value.trim() === '')
      return undefined
    const url = URL.parse(value, base?.href)
    if (!url || !schemes.has(url.protocol)) return undefined
    url.username = ''
    url.password = ''
    const address = escapeAttribute(url.href)
    remainingChars -= address.length
    return remainingChars < 0 ? undefined : address
  }

  return { link: (value) => written(value, FOLLOWED), media: (value) => written(value, LOADED) }
}

const LOADED: ReadonlySet<string> = new Set(['https:', 'http:'])
const FOLLOWED: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:'])
