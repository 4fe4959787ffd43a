/**
 * For feeds that give every entry a new guid, link and date on each fetch: matches entries by title and text (`textHash`).
 */
import { type Entry, type EntryDraft, type FeedQuirks, type Steps, textHash } from '../../model/index.ts'

type TextFields = Pick<EntryDraft, 'title' | 'summary' | 'content'>

/** Smaller windows prove nothing: a status feed of one or two entries may repeat the same text every day. */
const MIN_WINDOW = 3
const MIN_MATCHED_SHARE = 0.8
const MIN_REWRITTEN_WINDOWS = 2

/** Maps each draft to its stored entry. Drafts with equal text are ignored; of equal stored entries, the oldest is used. */
export function* matchByText<E extends TextFields & Pick<Entry, 'seenAt'>>(
  unknown: readonly EntryDraft[],
  stored: readonly E[],
): Steps<Map<EntryDraft, E>> {
  const oldest = new Map<string, E>()
  for (const entry of stored) {
    yield
    const signature = textSignature(entry)
    const existing = signature === undefined ? undefined : oldest.get(signature)
    if (signature !== undefined && (existing === undefined || entry.seenAt < existing.seenAt))
      oldest.set(signature, entry)
  }
  const found = new Map<string, EntryDraft | 'several'>()
  for (const draft of unknown) {
    yield
    const signature = textSignature(draft)
    if (signature !== undefined && oldest.has(signature)) found.set(signature, found.has(signature) ? 'several' : draft)
  }
  const matched = new Map<EntryDraft, E>()
  for (const [signature, draft] of found) if (draft !== 'several') matched.set(draft, oldest.get(signature)!)
  return matched
}

/** `matched`: entries of a window without known keys that were matched by text. */
export function isRewritten(matched: number, window: number): boolean {
  return window >= MIN_WINDOW && matched >= MIN_MATCHED_SHARE * window
}

/** Updates the quirks after a window: after two consecutive rewritten windows, the feed is matched by text. */
export function quirksAfter(before: FeedQuirks, rewritten: boolean): FeedQuirks {
  if (before.matchBy === 'text') return before
  const { rewrittenWindows = 0, ...rest } = before
  if (!rewritten) return rest
  const times = rewrittenWindows + 1
  return times >= MIN_REWRITTEN_WINDOWS ? { ...rest, matchBy: 'text' } : { ...rest, rewrittenWindows: times }
}

/** Title and text. Undefined if there is too little to identify the entry. */
export function textSignature(entry: TextFields): string | undefined {
  const text = textHash(entry)
  return entry.title === '' && text === undefined ? undefined : `${text ?? ''} ${entry.title}`
}
