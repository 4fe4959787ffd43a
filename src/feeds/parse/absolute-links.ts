/**
 * Makes relative addresses in a feed's HTML absolute and changes nothing else. Searches for "=" and then backwards for the attribute's
 * name, which is much cheaper than parsing every tag.
 */
import { resolveAddress } from './address.ts'

export function makeLinksAbsolute(html: string, base: string): string {
  if (base === '') return html
  let out = ''
  let copied = 0
  // A base of 2,000 characters and a million empty `href`s must not become gigabytes.
  let growthLeft = html.length + 65_536
  const isInsideTag = createTagTracker(html)
  for (let equals = html.indexOf('='); equals >= 0; equals = html.indexOf('=', equals + 1)) {
    let from = equals + 1
    while (html.charCodeAt(from) <= 32) from++
    const quote = html.charCodeAt(from)
    if (quote !== 34 && quote !== 39) continue
    from++
    // Fast path: most addresses are absolute.
    if (html.charCodeAt(from) === 104 && (html.startsWith('http:', from) || html.startsWith('https:', from))) continue
    if (html.charCodeAt(from) === 35 || !isAddressAttribute(html, equals)) continue
    if (STARTS_WITH_SCHEME.test(html.slice(from, from + 24))) continue
    const length = html.slice(from, from + MAX_ADDRESS_LENGTH).indexOf(quote === 34 ? '"' : "'")
    if (length < 0 || !isInsideTag(equals)) continue
    const to = from + length
    const absolute = escapeQuotes(resolveAddress(html.slice(from, to).replaceAll('&amp;', '&'), base))
    growthLeft -= absolute.length
    if (growthLeft < 0) break
    out += html.slice(copied, from) + absolute
    copied = to
    equals = to
  }
  return copied === 0 ? html : out + html.slice(copied)
}

const MAX_ADDRESS_LENGTH = 2_048
const STARTS_WITH_SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i
const ATTRIBUTES = new Set(['href', 'src', 'action', 'cite', 'longdesc', 'poster', 'data', 'background', 'usemap'])

function isAddressAttribute(html: string, equals: number): boolean {
  let end = equals
  while (end > 0 && html.charCodeAt(end - 1) <= 32) end--
  let start = end
  while (start > 0 && end - start < 11 && isLetter(html.charCodeAt(start - 1))) start--
  if (end - start < 3 || !(html.charCodeAt(start - 1) <= 32 || isQuote(html.charCodeAt(start - 1)))) return false
  return ATTRIBUTES.has(html.slice(start, end).toLowerCase())
}

function isLetter(c: number): boolean {
  return (c | 32) >= 97 && (c | 32) <= 122
}

function isQuote(c: number): boolean {
  return c === 34 || c === 39
}

/** Whether the nearest bracket before a position is an opening one. Positions must be increasing. */
function createTagTracker(html: string): (at: number) => boolean {
  let position = 0
  let inside = false
  return (at) => {
    for (; position < at; position++) {
      const c = html.charCodeAt(position)
      if (c === 60) inside = true
      else if (c === 62) inside = false
    }
    return inside
  }
}

function escapeQuotes(address: string): string {
  return address.replaceAll('"', '%22').replaceAll("'", '%27').replaceAll('&', '&amp;')
}
