/**
 * Recognizes entries whose feed changed all keys: the site moved to https, guids have another format, addresses lost a slash. An entry
 * with an unknown key that matches a stored entry missing from the window is that entry, and the stored entry gets the new key. Two of
 * title, address and date must be equal; addresses are compared without scheme, `www.` and trailing slash.
 */
import type { Entry, EntryDraft, Steps } from '../../model/index.ts'
import { normalizeUrl } from './reconcile.ts'

type Stored = Pick<Entry, 'key' | 'url' | 'title' | 'publishedAt'>

/** Whether the keys may have changed: at least half of the window is unknown. One or two unknown entries are just new. */
export function haveKeysChanged(unknown: number, window: number): boolean {
  return unknown === window || (unknown >= 3 && 2 * unknown >= window)
}

/** Maps each draft to its stored entry. Ambiguous matches are ignored. */
export function* matchChangedKeys<E extends Stored>(
  unknown: readonly EntryDraft[],
  stored: readonly E[],
): Steps<Map<EntryDraft, E>> {
  const matched = new Map<EntryDraft, E>()
  const found = new Set<E>()
  const addresses = new Map<Stored, string | undefined>()
  for (const entry of [...unknown, ...stored]) {
    addresses.set(entry, looseAddress(entry.url))
    yield
  }
  const addressOf = (entry: Stored) => addresses.get(entry)
  for (const traits of [titleAndAddress, titleAndDate, addressAndDate]) {
    const traitOf = (entry: Stored) => traits(entry, addressOf(entry))
    const unmatched = unknown.filter((draft) => !matched.has(draft))
    const owners = yield* uniqueByTrait(
      stored.filter((entry) => !found.has(entry)),
      traitOf,
    )
    for (const [trait, draft] of yield* uniqueByTrait(unmatched, traitOf)) {
      const entry = owners.get(trait)
      if (!entry) continue
      matched.set(draft, entry)
      found.add(entry)
    }
  }
  return matched
}

function* uniqueByTrait<E extends Stored>(
  entries: readonly E[],
  traitOf: (entry: Stored) => string | undefined,
): Steps<Map<string, E>> {
  const unique = new Map<string, E>()
  const shared = new Set<string>()
  for (const entry of entries) {
    yield
    const trait = traitOf(entry)
    if (trait === undefined) continue
    if (unique.has(trait)) shared.add(trait)
    unique.set(trait, entry)
  }
  for (const trait of shared) unique.delete(trait)
  return unique
}

type Traits = (entry: Stored, address: string | undefined) => string | undefined

const titleAndAddress: Traits = ({ title }, address) =>
  title === '' || address === undefined ? undefined : `${address}\n${title}`

const titleAndDate: Traits = ({ title, publishedAt }) =>
  title === '' || publishedAt === undefined ? undefined : `${publishedAt}\n${title}`

const addressAndDate: Traits = ({ publishedAt }, address) =>
  address === undefined || publishedAt === undefined ? undefined : `${publishedAt}\n${address}`

function looseAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  return (normalizeUrl(url) ?? url).replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/(?=[?#]|$)/, '')
}
