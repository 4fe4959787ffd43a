/**
 * Determines the key of each entry of a window. Some publishers reuse a guid for another article, in the same document or years later.
 * So the identity of a stored entry cannot depend on the guid alone, nor on what else is in today's document:
 *
 * - An entry with a known key is that entry, possibly edited, if its link *or* its title *or* its date is unchanged. If all three
 *   differ, it is another entry and gets a key of its own: the guid and a hash of its link.
 * - An entry that shares its guid with others in the document, or did when first seen, is looked up under all keys it may have got then
 *   (`alternativeKeys`); if its text was part of the key and has changed, by link and title among the feed's latest entries.
 * - Two entries of a window are never the same stored entry. Unchanged entries are assigned first, then edited ones.
 */
import type { Entry, EntryDraft, KnownEntry, Steps } from '../../model/index.ts'
import { isSharedKey, keysOfSharer, sharedKey } from '../parse/keys.ts'
import { comparableUrl, sayingsOf } from './reconcile.ts'

/** For each entry, the keys under which it may be stored, its own first. */
export type Candidates = ReadonlyMap<EntryDraft, readonly string[]>

/** Call with the store's answer for the window's own keys; computing hashes for entries with known keys is avoided. */
export function* candidatesOf(
  window: readonly EntryDraft[],
  known: ReadonlyMap<string, KnownEntry>,
): Steps<Candidates> {
  const candidates = new Map<EntryDraft, readonly string[]>()
  for (const draft of window) {
    yield
    candidates.set(draft, isPlain(draft, known) ? [draft.key] : [draft.key, ...keysOfSharer(draft)])
  }
  return candidates
}

/** Additional keys to look up in the store. */
export function otherKeys(candidates: Candidates, known: ReadonlyMap<string, KnownEntry>): string[] {
  const keys = new Set<string>()
  for (const [, [, ...others]] of candidates) for (const key of others) if (!known.has(key)) keys.add(key)
  return [...keys]
}

/** Whether entries remain that can only be identified by their text. */
export function asksForWords(window: EntryDraft[], known: ReadonlyMap<string, KnownEntry>): boolean {
  return window.some((draft) => isSharedKey(draft.key) && !known.has(draft.key))
}

/** The window with the final keys. `known` must include the answers for `alternativeKeys`. */
export function* settleKeys(
  window: EntryDraft[],
  candidates: Candidates,
  known: ReadonlyMap<string, KnownEntry>,
  latest: Said[] = [],
): Steps<EntryDraft[]> {
  if (yield* areAllPlain(window, known)) return window
  const met = window.filter((draft) => candidates.get(draft)!.some((key) => known.has(key)))
  const settled = new Map<EntryDraft, string>()
  const taken = new Set<string>()
  function* settle(accepts: (draft: EntryDraft, key: string, before: KnownEntry) => boolean): Steps<void> {
    for (const draft of met) {
      yield
      if (settled.has(draft)) continue
      const key = candidates.get(draft)!.find((one) => {
        const before = known.get(one)
        return before !== undefined && !taken.has(one) && accepts(draft, one, before)
      })
      if (key !== undefined) take(draft, key)
    }
  }
  const take = (draft: EntryDraft, key: string) => {
    settled.set(draft, key)
    taken.add(key)
  }

  yield* settle((draft, _, before) => before !== 'forgotten' && saysTheSame(draft, before))
  yield* settle((draft, key, before) => (before === 'forgotten' ? key === draft.key : isKnownAs(draft, before)))
  const saidBy = yield* bySaying(latest)
  for (const draft of window) {
    yield
    if (settled.has(draft) || !isSharedKey(draft.key)) continue
    const alike = [...sayingsOf(draft)].flatMap((saying) => saidBy.get(saying) ?? [])
    const key = alike.find((entry) => !taken.has(entry.key) && isSharer(draft, entry))?.key
    if (key !== undefined) take(draft, key)
  }
  for (const draft of window) {
    yield
    if (settled.has(draft)) continue
    const free = candidates.get(draft)!.find((key) => !known.has(key) && !taken.has(key))
    take(draft, free ?? draft.key)
  }
  return window.map((draft) => {
    const key = settled.get(draft)!
    return key === draft.key ? draft : { ...draft, key }
  })
}

function* areAllPlain(window: EntryDraft[], known: ReadonlyMap<string, KnownEntry>): Steps<boolean> {
  for (const draft of window) {
    yield
    if (!isPlain(draft, known)) return false
  }
  return true
}

/** Unchanged under its own key, or forgotten: nothing to resolve. */
function isPlain(draft: EntryDraft, known: ReadonlyMap<string, KnownEntry>): boolean {
  const before = known.get(draft.key)
  return before !== undefined && (before === 'forgotten' || saysTheSame(draft, before))
}

type Said = Pick<Entry, 'key' | 'url' | 'title' | 'publishedAt'>

function isSharer(draft: EntryDraft, entry: Said): boolean {
  return sharedKey(draft.key) === sharedKey(entry.key)
}

/** Limit of entries with the same signature: searching thousands is not worth it. */
const MOST_ALIKE = 20

function* bySaying(entries: Said[]): Steps<Map<string, Said[]>> {
  const found = new Map<string, Said[]>()
  for (const entry of entries) {
    yield
    for (const saying of sayingsOf(entry)) {
      const alike = found.get(saying) ?? []
      if (alike.length < MOST_ALIKE) alike.push(entry)
      found.set(saying, alike)
    }
  }
  return found
}

type Before = Exclude<KnownEntry, 'forgotten'>

function saysTheSame(draft: EntryDraft, { title, url }: Before): boolean {
  return draft.title === title && comparable(draft.url) === comparable(url)
}

/** False if link, title and date all differ; missing values count as equal. */
function isKnownAs(draft: EntryDraft, before: Before): boolean {
  if (draft.url === undefined || before.url === undefined) return true
  if (draft.title === '' || before.title === '' || draft.title === before.title) return true
  if (comparable(draft.url) === comparable(before.url)) return true
  return draft.publishedAt !== undefined && draft.publishedAt === before.publishedAt
}

function comparable(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (comparableUrl(url) ?? url)
}
