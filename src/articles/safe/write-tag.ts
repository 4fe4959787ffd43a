/** Writes one start tag from the allowed attributes of the original. */
import type { Addresses } from './addresses.ts'
import { ALLOWED, allowedValue, GENERAL } from './allowed.ts'
import { escapeAttribute } from './escape-attribute.ts'

/** A tag's attributes by lower-case name, entities decoded; only those that are used. */
export type SourceAttributes = ReadonlyMap<string, string>

/** Undefined if nothing useful is left of it. */
export function writeTag(name: string, attributes: SourceAttributes, addresses: Addresses): string | undefined {
  if (!ALLOWED.has(name)) return undefined
  const special = specialAttributes(name, attributes, addresses)
  if (special === undefined) return undefined
  if (attributes.size === 0) return `<${name}${special}>`
  return `<${name}${special}${plainAttributes(name, attributes)}>`
}

/** Allowed attributes that are written verbatim. */
export function plainAttributes(element: string, attributes: SourceAttributes): string {
  return listAttributes(GENERAL, attributes) + listAttributes(ALLOWED.get(element) ?? [], attributes)
}

function listAttributes(names: readonly string[], attributes: SourceAttributes): string {
  let written = ''
  for (const name of names) {
    const value = attributes.get(name)
    const allowed = value === undefined ? undefined : allowedValue(name, value)
    if (allowed === undefined) continue
    written += allowed === '' && name !== 'alt' ? ` ${name}` : ` ${name}="${escapeAttribute(allowed)}"`
  }
  return written
}

/** Attributes with URLs, and attributes that we add. */
function specialAttributes(name: string, attributes: SourceAttributes, addresses: Addresses): string | undefined {
  switch (name) {
    case 'a': {
      const href = addresses.link(attributes.get('href'))
      return href && ` href="${href}" rel="noopener noreferrer nofollow"`
    }
    case 'audio':
    case 'video': {
      const src = addresses.media(attributes.get('src'))
      return `${src ? ` src="${src}"` : ''} controls preload="none"`
    }
    case 'source': {
      const src = addresses.media(attributes.get('src'))
      return src && ` src="${src}"`
    }
    default:
      return ''
  }
}
