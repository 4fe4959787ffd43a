/**
 * Addresses in feeds: relative ones are resolved, others keep their spelling. `javascript:` and similar schemes are dropped, and so are
 * credentials.
 */
import { withoutCredentials } from '../../model/index.ts'
import { FEED_LIMITS } from './parsed-feed.ts'

/** The absolute address; the given text if there is no base or it cannot be parsed. */
export function resolveAddress(written: string, base: string): string {
  const address = /[\t\n\r]/.test(written) ? written.replace(/[\t\n\r]+\s*/g, '').trim() : written.trim()
  if (HAS_SCHEME.test(address)) return address
  if (base === '') return address.startsWith('//') ? `https:${address}` : address
  return URL.parse(address, base)?.href ?? address
}

/** An address that may be shown as a link; undefined if invalid. */
export function linkAddress(written: string | undefined, base: string): string | undefined {
  if (written === undefined || written === '' || written.length > FEED_LIMITS.url) return undefined
  // Fast path for nearly all addresses.
  if (USUAL.test(written)) return withoutCredentials(written)
  const address = withoutCredentials(resolveAddress(written, base))
  return address === '' || address.length > FEED_LIMITS.url || RUNS_CODE.test(address) ? undefined : address
}

/** The address of a web page; undefined for identifiers (`tag:`, `urn:`) and other schemes. */
export function httpAddress(address: string | undefined): string | undefined {
  return address === undefined || (HAS_SCHEME.test(address) && !HTTP.test(address)) ? undefined : address
}

const HTTP = /^https?:/i
const USUAL = /^https?:\/\/\S+$/
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i
const RUNS_CODE = /^(?:javascript|vbscript|data|blob|file|about):/i
