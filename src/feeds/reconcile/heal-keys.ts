/**
 * A feed that has given its entries other keys: its host moved to https, its guids are of another kind, its addresses lost a slash.
 * Whoever is not known by its key, and says what an entry said that is not in the window any more, is that entry, and is kept
 * under the new key from then on: else its next change would make it another. Two of three have to be the same: title,
 * address, date. An address that differs only in its scheme, in `www.`, or in a last slash is the same.
 */
import type { Entry, EntryDraft } from '../../model/index.ts'
import { comparableUrl } from './reconcile.ts'

type Stored = Pick<Entry, 'key' | 'url' | 'title' | 'publishedAt'>

/** Where half of a window or more is not known, its keys may have been changed; two that are new are news. */
export function mayBeRekeyed(unknown: number, window: number): boolean {
  return unknown === window || (unknown >= 3 && 2 * unknown >= window)
}

/** Which stored entry each of these is. What two of either side share tells nothing. */
export function healedKeys<E extends Stored>(unknown: readonly EntryDraft[], stored: readonly E[]): Map<EntryDraft, E> {
  const healed = new Map<EntryDraft, E>()
  const found = new Set<E>()
  for (const traits of [titleAndAddress, titleAndDate, addressAndDate]) {
    const left = unknown.filter((draft) => !healed.has(draft))
    const owners = onlyOnes(
      stored.filter((entry) => !found.has(entry)),
      traits,
    )
    for (const [trait, draft] of onlyOnes(left, traits)) {
      const entry = owners.get(trait)
      if (!entry) continue
      healed.set(draft, entry)
      found.add(entry)
    }
  }
  return healed
}

function onlyOnes<E extends Stored>(
  entries: readonly E[],
  traitOf: (entry: Stored) => string | undefined,
): Map<string, E> {
  const ones = new Map<string, E>()
  const shared = new Set<string>()
  for (const entry of entries) {
    const trait = traitOf(entry)
    if (trait === undefined) continue
    if (ones.has(trait)) shared.add(trait)
    ones.set(trait, entry)
  }
  for (const trait of shared) ones.delete(trait)
  return ones
}

function titleAndAddress(entry: Stored): string | undefined {
  const address = looseAddress(entry.url)
  return entry.title === '' || address === undefined ? undefined : `${address}\n${entry.title}`
}

function titleAndDate({ title, publishedAt }: Stored): string | undefined {
  return title === '' || publishedAt === undefined ? undefined : `${publishedAt}\n${title}`
}

function addressAndDate({ url, publishedAt }: Stored): string | undefined {
  const address = looseAddress(url)
  return address === undefined || publishedAt === undefined ? undefined : `${publishedAt}\n${address}`
}

function looseAddress(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  return (comparableUrl(url) ?? url).replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/(?=[?#]|$)/, '')
}
