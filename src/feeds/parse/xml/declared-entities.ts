/**
 * Entities declared in a document's DTD. Internal declarations only, nothing external is loaded, values are not expanded twice, and the
 * total growth is limited.
 */
import { type DeclaredEntities, decodeEntities } from '../../../html/index.ts'
import { FEED_LIMITS } from '../parsed-feed.ts'

export function parseDeclaredEntities(doctype: string): DeclaredEntities | undefined {
  if (doctype === '') return undefined
  const values = new Map<string, string>()
  let growthLeft = FEED_LIMITS.entityGrowth
  const lookup: DeclaredEntities = (name) => {
    const value = values.get(name)
    if (value === undefined || value.length > growthLeft) return undefined
    growthLeft -= value.length
    return value
  }
  for (const match of doctype.matchAll(/<!ENTITY\s+([^\s"'%<>&;]{1,64})\s+(?:"([^"]*)"|'([^']*)')/g)) {
    if (values.size >= FEED_LIMITS.entities) break
    const name = match[1]!
    const value = decodeEntities(match[2] ?? match[3] ?? '', lookup)
    if (value.length <= FEED_LIMITS.entityChars && !values.has(name)) values.set(name, value)
  }
  return values.size === 0 ? undefined : lookup
}

/** Decodes only declared entities, in markup where an HTML parser decodes all others. */
export function decodeDeclaredEntities(text: string, declared: DeclaredEntities): string {
  return text.replace(/&([\p{L}_][\p{L}\p{N}._-]{0,63});/gu, (reference, name) => declared(name) ?? reference)
}
