/**
 * For feeds that give every entry a new guid, link and date on each fetch: matches entries by title and text (`textHash`).
 */
import { type Entry, type EntryDraft, type FeedQuirks, type Steps, textHash } from '../../model/index.ts'

type Said = Pick<EntryDraft, 'title' | 'summary' | 'content'>

/** Smaller windows prove nothing: a status feed of one or two entries may repeat the same text every day. */
const FEWEST = 3
const NEARLY_ALL = 0.8
const TIMES_BELIEVED = 2

/** Maps each draft to its stored entry. Drafts with equal text are ignored; of equal stored entries, the oldest is used. */
export function* matchedByText<E extends Said & Pick<Entry, 'seenAt'>>(
  unknown: readonly EntryDraft[],
  stored: readonly E[],
): Steps<Map<EntryDraft, E>> {
  const oldest = new Map<string, E>()
  for (const entry of stored) {
    yield
    const said = sayingOf(entry)
    const other = said === undefined ? undefined : oldest.get(said)
    if (said !== undefined && (other === undefined || entry.seenAt < other.seenAt)) oldest.set(said, entry)
  }
  const found = new Map<string, EntryDraft | 'several'>()
  for (const draft of unknown) {
    yield
    const said = sayingOf(draft)
    if (said !== undefined && oldest.has(said)) found.set(said, found.has(said) ? 'several' : draft)
  }
  const matched = new Map<EntryDraft, E>()
  for (const [said, draft] of found) if (draft !== 'several') matched.set(draft, oldest.get(said)!)
  return matched
}

/** `matched`: entries of a window without known keys that were matched by text. */
export function isRewritten(matched: number, window: number): boolean {
  return window >= FEWEST && matched >= NEARLY_ALL * window
}

/** Updates the quirks after a window: after two consecutive rewritten windows, the feed is matched by text. */
export function quirksAfter(before: FeedQuirks, rewritten: boolean): FeedQuirks {
  if (before.matchBy === 'text') return before
  const { rewrittenWindows = 0, ...rest } = before
  if (!rewritten) return rest
  const times = rewrittenWindows + 1
  return times >= TIMES_BELIEVED ? { ...rest, matchBy: 'text' } : { ...rest, rewrittenWindows: times }
}

/** Title and text. Undefined if there is too little to identify the entry. */
export function sayingOf(entry: Said): string | undefined {
  const text = textHash(entry)
  return entry.title === '' && text === undefined ? undefined : `${text ?? ''} ${entry.title}`
}
