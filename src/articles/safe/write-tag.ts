/** One start tag, written anew from what the old one said and is allowed to say. */
import type { Addresses } from './addresses.ts'
import { ALLOWED, allowedValue, GENERAL } from './allowed.ts'
import { escapeAttribute } from './escape-attribute.ts'

/** The attributes of a tag by their names in lower case, entities decoded; only those that somebody looks at. */
export type SourceAttributes = ReadonlyMap<string, string>

/** Undefined: there is nothing left of it that would be worth a tag. */
export function writeTag(name: string, given: SourceAttributes, addresses: Addresses): string | undefined {
  if (!ALLOWED.has(name)) return undefined
  const special = specialAttributes(name, given, addresses)
  if (special === undefined) return undefined
  if (given.size === 0) return `<${name}${special}>`
  return `<${name}${special}${plainAttributes(name, given)}>`
}

/** Those that may be written as they are, of those that the element may have. */
export function plainAttributes(element: string, given: SourceAttributes): string {
  return listed(GENERAL, given) + listed(ALLOWED.get(element) ?? [], given)
}

function listed(names: readonly string[], given: SourceAttributes): string {
  let written = ''
  for (const name of names) {
    const value = given.get(name)
    const allowed = value === undefined ? undefined : allowedValue(name, value)
    if (allowed === undefined) continue
    written += allowed === '' && name !== 'alt' ? ` ${name}` : ` ${name}="${escapeAttribute(allowed)}"`
  }
  return written
}

/** Those that hold addresses, and those that we add. */
function specialAttributes(name: string, given: SourceAttributes, addresses: Addresses): string | undefined {
  switch (name) {
    case 'a': {
      const href = addresses.link(given.get('href'))
      return href && ` href="${href}" rel="noopener noreferrer nofollow"`
    }
    case 'audio':
    case 'video': {
      const src = addresses.media(given.get('src'))
      return `${src ? ` src="${src}"` : ''} controls preload="none"`
    }
    case 'source': {
      const src = addresses.media(given.get('src'))
      return src && ` src="${src}"`
    }
    default:
      return ''
  }
}
