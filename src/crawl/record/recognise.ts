/**
 * What the store knew of the windows that came. Keys are asked for first; where an entry is not known by its own, or says
 * something else, the other keys that it may have been given (feeds/reconcile/settle-keys). Some feeds change all their keys, or invent
 * them anew at every poll: where few are known, what was said is looked at, too, and entries are given the new ones.
 */
import {
  asksForWords,
  candidatesOf,
  healedKeys,
  mayBeRekeyed,
  otherKeys,
  sayings,
  settleKeys,
} from '../../feeds/index.ts'
import type { Entry, EntryDraft, FeedId, FeedReading, KnownEntry, ScheduledFeed } from '../../model/index.ts'
import type { Catalogue, Ledger } from '../../ports/index.ts'
import { inPieces, letOthersIf } from '../in-pieces.ts'
import { type KnownWindow, knownKeys, withoutPrefixes } from './window.ts'

export interface Recognised {
  /** Its entries have the titles that are kept, and the keys under which they are known, or will be. */
  reading: FeedReading
  known: KnownWindow
}

const MOST_LATEST = 2000
const PIECE = 500 // entries whose keys are thought of at once: some milliseconds

type Answer = ReadonlyMap<string, KnownEntry>

export function createRecogniser({
  catalogue,
  ledger,
  knownBy,
}: {
  catalogue: Catalogue
  ledger: Ledger
  knownBy: 'key' | 'title'
}) {
  return async (windows: { held: ScheduledFeed; reading: FeedReading }[]): Promise<Recognised[]> => {
    const readings = windows.map(({ held, reading }) => withoutPrefixes(reading, held.feed.titlePrefix))
    const questions = windows.map(({ held }, i) => ({ feedId: held.feed.id, keys: keysOf(readings[i]!.entries) }))
    const answers: Answer[] = await knownKeys(ledger, questions)
    return Promise.all(
      windows.map(async ({ held }, i): Promise<Recognised> => {
        const reading = readings[i]!
        const { entries: window } = reading
        const isFirst = held.schedule.succeededAt === undefined
        if (isFirst || window.length === 0) return { reading, known: { keys: answers[i]!, said: sayings([]) } }
        const settled = await settledIn(held.feed.id, window, answers[i]!)
        const known = await knownAmong(held.feed.id, settled)
        await letOthersIf(window.length > PIECE)
        return { reading: { ...reading, entries: settled.window }, known }
      }),
    )
  }

  /** As many as the window may have shown before, and some more; of the largest windows, fewer: they are all held at once. */
  function latestOf(feedId: FeedId, window: EntryDraft[]): Promise<Entry[]> {
    return catalogue.entries({ feedId, limit: Math.min(MOST_LATEST, 2 * window.length) })
  }

  async function settledIn(feedId: FeedId, window: EntryDraft[], own: Answer) {
    const candidates = new Map(await inPieces(window, PIECE, (piece) => [...candidatesOf(piece, own)]))
    const [found = []] = await knownKeys(ledger, [{ feedId, keys: otherKeys(candidates, own) }])
    const known = new Map([...own, ...found])
    const latest = asksForWords(window, known) ? await latestOf(feedId, window) : []
    await letOthersIf(window.length > PIECE)
    const settled = settleKeys(window, candidates, known, latest)
    await letOthersIf(window.length > PIECE)
    const isOfWindow = new Set(keysOf(settled))
    const kept = [...known].filter(([key]) => isOfWindow.has(key))
    const told = latest.filter(({ key }) => isOfWindow.has(key))
    return { window: settled, keys: new Map([...told.map(knownOf), ...kept]) }
  }

  async function knownAmong(
    feedId: FeedId,
    { window, keys }: { window: EntryDraft[]; keys: Answer },
  ): Promise<KnownWindow> {
    const unknown = window.filter(({ key }) => !keys.has(key))
    const asksFurther = knownBy === 'title' ? unknown.length > 0 : mayBeRekeyed(unknown.length, window.length)
    if (!asksFurther) return { keys, said: sayings([]) }
    const latest = await latestOf(feedId, window)
    if (knownBy === 'title') return { keys: withTitles(keys, window, latest), said: sayings(latest) }
    const healed = healedKeys(
      unknown,
      latest.filter(({ key }) => !keys.has(key)),
    )
    const rekeyed = [...healed].map(([{ key: to }, { key: from }]) => ({ from, to }))
    return {
      keys: new Map([...keys, ...[...healed].map(([{ key }, entry]) => knownOf({ ...entry, key }))]),
      said: keys.size === 0 ? sayings(latest) : sayings([]),
      ...(rekeyed.length > 0 && { rekeyed }),
    }
  }
}

function keysOf(window: EntryDraft[]): string[] {
  return window.map(({ key }) => key)
}

function knownOf({ key, title, url, publishedAt, seenAt }: EntryDraft & { seenAt: number }): [string, KnownEntry] {
  return [key, { title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }), seenAt }]
}

/** The same title in the same feed is known, whatever its key (Adam et al. 2009). */
function withTitles(
  keys: Answer,
  window: EntryDraft[],
  latest: { title: string; seenAt: number }[],
): Map<string, KnownEntry> {
  const seen = new Map(latest.map(({ title, seenAt }) => [title, seenAt]))
  const known = new Map(keys)
  for (const { key, title, url } of window) {
    const seenAt = seen.get(title)
    if (seenAt !== undefined && !known.has(key)) known.set(key, { title, seenAt, ...(url && { url }) })
  }
  return known
}
