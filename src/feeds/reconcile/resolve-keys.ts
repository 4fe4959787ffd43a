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
import { isSharedKey, keyBase, keysWhenShared } from '../parse/keys.ts'
import { entrySignaturesOf, normalizeUrl } from './reconcile.ts'

/** For each entry, the keys under which it may be stored, its own first. */
export type KeyCandidates = ReadonlyMap<EntryDraft, readonly string[]>

/** Call with the store's answer for the window's own keys; computing hashes for entries with known keys is avoided. */
export function* keyCandidates(
  window: readonly EntryDraft[],
  known: ReadonlyMap<string, KnownEntry>,
): Steps<KeyCandidates> {
  const candidates = new Map<EntryDraft, readonly string[]>()
  for (const draft of window) {
    yield
    candidates.set(draft, isResolved(draft, known) ? [draft.key] : [draft.key, ...keysWhenShared(draft)])
  }
  return candidates
}

/** Additional keys to look up in the store. */
export function alternativeKeys(candidates: KeyCandidates, known: ReadonlyMap<string, KnownEntry>): string[] {
  const keys = new Set<string>()
  for (const [, [, ...alternatives]] of candidates) for (const key of alternatives) if (!known.has(key)) keys.add(key)
  return [...keys]
}

/** Whether entries remain that can only be identified by their text. */
export function needsEntryTexts(window: EntryDraft[], known: ReadonlyMap<string, KnownEntry>): boolean {
  return window.some((draft) => isSharedKey(draft.key) && !known.has(draft.key))
}

/** The window with the final keys. `known` must include the answers for `alternativeKeys`. */
export function* resolveKeys(
  window: EntryDraft[],
  candidates: KeyCandidates,
  known: ReadonlyMap<string, KnownEntry>,
  latest: LatestEntry[] = [],
): Steps<EntryDraft[]> {
  if (yield* areAllResolved(window, known)) return window
  const seen = window.filter((draft) => candidates.get(draft)!.some((key) => known.has(key)))
  const settled = new Map<EntryDraft, string>()
  const usedKeys = new Set<string>()
  function* settle(accepts: (draft: EntryDraft, key: string, before: KnownEntry) => boolean): Steps<void> {
    for (const draft of seen) {
      yield
      if (settled.has(draft)) continue
      const key = candidates.get(draft)!.find((candidate) => {
        const before = known.get(candidate)
        return before !== undefined && !usedKeys.has(candidate) && accepts(draft, candidate, before)
      })
      if (key !== undefined) assign(draft, key)
    }
  }
  const assign = (draft: EntryDraft, key: string) => {
    settled.set(draft, key)
    usedKeys.add(key)
  }

  yield* settle((draft, _, before) => before !== 'forgotten' && isUnchanged(draft, before))
  yield* settle((draft, key, before) => (before === 'forgotten' ? key === draft.key : isSameEntry(draft, before)))
  const entriesBySignature = yield* bySignature(latest)
  for (const draft of window) {
    yield
    if (settled.has(draft) || !isSharedKey(draft.key)) continue
    const sameSignature = [...entrySignaturesOf(draft)].flatMap((signature) => entriesBySignature.get(signature) ?? [])
    const key = sameSignature.find((entry) => !usedKeys.has(entry.key) && isSharer(draft, entry))?.key
    if (key !== undefined) assign(draft, key)
  }
  for (const draft of window) {
    yield
    if (settled.has(draft)) continue
    const free = candidates.get(draft)!.find((key) => !known.has(key) && !usedKeys.has(key))
    assign(draft, free ?? draft.key)
  }
  return window.map((draft) => {
    const key = settled.get(draft)!
    return key === draft.key ? draft : { ...draft, key }
  })
}

function* areAllResolved(window: EntryDraft[], known: ReadonlyMap<string, KnownEntry>): Steps<boolean> {
  for (const draft of window) {
    yield
    if (!isResolved(draft, known)) return false
  }
  return true
}

/** Unchanged under its own key, or forgotten: nothing to resolve. */
function isResolved(draft: EntryDraft, known: ReadonlyMap<string, KnownEntry>): boolean {
  const before = known.get(draft.key)
  return before !== undefined && (before === 'forgotten' || isUnchanged(draft, before))
}

type LatestEntry = Pick<Entry, 'key' | 'url' | 'title' | 'publishedAt'>

function isSharer(draft: EntryDraft, entry: LatestEntry): boolean {
  return keyBase(draft.key) === keyBase(entry.key)
}

/** Limit of entries with the same signature: searching thousands is not worth it. */
const MAX_ALIKE = 20

function* bySignature(entries: LatestEntry[]): Steps<Map<string, LatestEntry[]>> {
  const found = new Map<string, LatestEntry[]>()
  for (const entry of entries) {
    yield
    for (const signature of entrySignaturesOf(entry)) {
      const sameSignature = found.get(signature) ?? []
      if (sameSignature.length < MAX_ALIKE) sameSignature.push(entry)
      found.set(signature, sameSignature)
    }
  }
  return found
}

type Before = Exclude<KnownEntry, 'forgotten'>

function isUnchanged(draft: EntryDraft, { title, url }: Before): boolean {
  return draft.title === title && comparable(draft.url) === comparable(url)
}

/** False if link, title and date all differ; missing values count as equal. */
function isSameEntry(draft: EntryDraft, before: Before): boolean {
  if (draft.url === undefined || before.url === undefined) return true
  if (draft.title === '' || before.title === '' || draft.title === before.title) return true
  if (comparable(draft.url) === comparable(before.url)) return true
  return draft.publishedAt !== undefined && draft.publishedAt === before.publishedAt
}

function comparable(url: string | undefined): string | undefined {
  return url === undefined ? undefined : (normalizeUrl(url) ?? url)
}
