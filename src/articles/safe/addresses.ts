/**
 * Addresses as they may be written: absolute, of the web, without a name and password. Whatever tricks a scheme is hidden
 * with, the address is parsed as browsers do and written anew. A long base and a million short addresses would become
 * gigabytes, so all of a document's addresses together have a limit; beyond it there are none.
 */
import { escapeAttribute } from './escape-attribute.ts'

export interface Addresses {
  /** To follow, from a link. */
  link(value: string | undefined): string | undefined
  /** To load, from a picture. */
  media(value: string | undefined): string | undefined
}

const LONGEST = 4_000
const FREE = 65_536

export function createAddresses(baseUrl: string | undefined, documentLength: number): Addresses {
  const base = baseUrl !== undefined && baseUrl.length <= LONGEST ? URL.parse(baseUrl) : null
  let left = FREE + 2 * documentLength

  function written(value: string | undefined, schemes: ReadonlySet<string>): string | undefined {
    if (left < 0 || value === undefined || value.length > LONGEST || value.trim() === '') return undefined
    const url = URL.parse(value, base?.href)
    if (!url || !schemes.has(url.protocol)) return undefined
    url.username = ''
    url.password = ''
    const address = escapeAttribute(url.href)
    left -= address.length
    return left < 0 ? undefined : address
  }

  return { link: (value) => written(value, FOLLOWED), media: (value) => written(value, LOADED) }
}

const LOADED: ReadonlySet<string> = new Set(['https:', 'http:'])
const FOLLOWED: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:', 'tel:'])
