/**
 * Feeds that give every entry a new guid, link and date on each fetch. Neither keys nor addresses nor dates tell their entries
 * apart then; what they say does. An entry is the stored one that has the same title and the same text (`textHash`).
 */
import { type Entry, type EntryDraft, type FeedQuirks, type Steps, textHash } from '../../model/index.ts'

type Said = Pick<EntryDraft, 'title' | 'summary' | 'content'>

/** A status feed of one or two entries says the same every day without being rewritten. */
const FEWEST = 3
const NEARLY_ALL = 0.8
const TIMES_BELIEVED = 2

/** Which stored entry each of these is. Where several of `unknown` say the same, that tells nothing; of `stored`, the oldest counts. */
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

/** `matched`: entries of a window that has no known key, and which are known all the same. */
export function isRewritten(matched: number, window: number): boolean {
  return window >= FEWEST && matched >= NEARLY_ALL * window
}

/** What is known of the feed after a window: one that was rewritten twice in a row is matched by text from then on. */
export function quirksAfter(before: FeedQuirks, rewritten: boolean): FeedQuirks {
  if (before.matchBy === 'text') return before
  const { rewrittenWindows = 0, ...rest } = before
  if (!rewritten) return rest
  const times = rewrittenWindows + 1
  return times >= TIMES_BELIEVED ? { ...rest, matchBy: 'text' } : { ...rest, rewrittenWindows: times }
}

/** What an entry is matched by: title and text. Undefined for one that says too little to be told by it. */
export function sayingOf(entry: Said): string | undefined {
  const text = textHash(entry)
  return entry.title === '' && text === undefined ? undefined : `${text ?? ''} ${entry.title}`
}
