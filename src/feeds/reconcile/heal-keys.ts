/**
 * A feed that has given its entries other keys: its host moved to https, its guids are of another kind, its addresses lost a slash.
 * Whoever is not known by its key, and says what an entry said that is not in the window any more, is that entry, and is kept
 * under the new key from then on: else its next change would make it another. Two of three have to be the same: title,
 * address, date. An address that differs only in its scheme, in `www.`, or in a last slash is the same.
 */
import type { Entry, EntryDraft, Steps } from '../../model/index.ts'
import { comparableUrl } from './reconcile.ts'

type Stored = Pick<Entry, 'key' | 'url' | 'title' | 'publishedAt'>

/** Where half of a window or more is not known, its keys may have been changed; two that are new are news. */
export function mayBeRekeyed(unknown: number, window: number): boolean {
  return unknown === window || (unknown >= 3 && 2 * unknown >= window)
}

/** Which stored entry each of these is. What two of either side share tells nothing. */
export function* healedKeys<E extends Stored>(
  unknown: readonly EntryDraft[],
  stored: readonly E[],
): Steps<Map<EntryDraft, E>> {
  const healed = new Map<EntryDraft, E>()
  const found = new Set<E>()
  const addresses = new Map<Stored, string | undefined>()
  for (const entry of [...unknown, ...stored]) {
    addresses.set(entry, looseAddress(entry.url))
    yield
  }
  const addressOf = (entry: Stored) => addresses.get(entry)
  for (const traits of [titleAndAddress, titleAndDate, addressAndDate]) {
    const traitOf = (entry: Stored) => traits(entry, addressOf(entry))
    const left = unknown.filter((draft) => !healed.has(draft))
    const owners = yield* onlyOnes(
      stored.filter((entry) => !found.has(entry)),
      traitOf,
    )
    for (const [trait, draft] of yield* onlyOnes(left, traitOf)) {
      const entry = owners.get(trait)
      if (!entry) continue
      healed.set(draft, entry)
      found.add(entry)
    }
  }
  return healed
}

function* onlyOnes<E extends Stored>(
  entries: readonly E[],
  traitOf: (entry: Stored) => string | undefined,
): Steps<Map<string, E>> {
  const ones = new Map<string, E>()
  const shared = new Set<string>()
  for (const entry of entries) {
    yield
    const trait = traitOf(entry)
    if (trait === undefined) continue
    if (ones.has(trait)) shared.add(trait)
    ones.set(trait, entry)
  }
  for (const trait of shared) ones.delete(trait)
  return ones
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
  return (comparableUrl(url) ?? url).replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/(?=[?#]|$)/, '')
}
