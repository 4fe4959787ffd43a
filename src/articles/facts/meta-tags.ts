/** The <meta> tags by name. If several have the same name, the first non-empty one counts, unless all are requested. */
import type { FactOrigin, FoundFact } from '../article.ts'
import type { Attributes } from '../page/attributes.ts'
import { oneVisibleLine } from '../page/page-node.ts'

export interface MetaTags {
  /** The first non-empty one among these names. */
  first(...names: string[]): FoundFact<string> | undefined
  all(name: string): string[]
  /** The tags whose name matches, in page order. */
  like(form: RegExp): FoundFact<string>[]
}

export function readMetaTags(tags: readonly Readonly<Attributes>[]): MetaTags {
  const byName = new Map<string, string[]>()
  for (const { property, name, itemprop, content, httpEquiv } of tags) {
    const value = oneVisibleLine(content ?? '')
    if (value === '') continue
    for (const key of new Set([property, name, itemprop, httpEquiv])) {
      if (!key || key.length > MAX_NAME_LENGTH) continue
      const lower = key.trim().toLowerCase()
      const existing = byName.get(lower)
      if (existing) existing.push(value)
      else byName.set(lower, [value])
    }
  }
  return {
    first(...names) {
      for (const name of names) {
        const value = byName.get(name)?.[0]
        if (value !== undefined) return { value, from: originOf(name) }
      }
      return undefined
    },
    all: (name) => byName.get(name) ?? [],
    like: (form) =>
      [...byName].flatMap(([name, [value]]) => (form.test(name) ? [{ value: value!, from: originOf(name) }] : [])),
  }
}

const MAX_NAME_LENGTH = 80

function originOf(name: string): FactOrigin {
  return /^(?:og|article|og:article):/.test(name) ? 'opengraph' : 'meta'
}
