/**
 * What the store knew of the windows that came. Keys are asked for first; where an entry is not known by its own, or says
 * something else, the other keys that it may have been given (feeds/reconcile/resolve-keys). Some feeds change all their keys, or invent
 * them anew at every poll: where few are known, what was said is looked at, too, and entries are given the new ones. A feed that
 * does so at every poll is matched by title and text from then on, and parameters of links that vary are taken off
 * (`FeedQuirks`).
 */
import {
  asksForWords,
  candidatesOf,
  healedKeys,
  isRewritten,
  type LinkPair,
  matchedByText,
  mayBeRekeyed,
  otherKeys,
  quirksAfter,
  sayingsInSteps,
  settleKeys,
  varyingParameters,
  withoutParameters,
} from '../../feeds/index.ts'
import {
  type Entry,
  type EntryDraft,
  type FeedId,
  type FeedQuirks,
  type FeedReading,
  type KnownEntry,
  placeInTime,
  type ScheduledFeed,
} from '../../model/index.ts'
import type { Catalogue, Ledger } from '../../ports/index.ts'
import { inSlices, yieldToEventLoop } from '../../runtime/index.ts'
import { type KnownWindow, knownKeys, withoutPrefixes } from './window.ts'

export interface Recognised {
  /** Its entries have the titles that are kept, and the keys under which they are known, or will be. */
  reading: FeedReading
  known: KnownWindow
}

const MOST_LATEST = 2000
const LATEST_AT_ONCE = 100 // with all that they say: some milliseconds

type Answer = ReadonlyMap<string, KnownEntry>

export type Recognise = (windows: { held: ScheduledFeed; reading: FeedReading }[]) => Promise<Recognised[]>

export function createRecogniser({
  catalogue,
  ledger,
  knownBy,
}: {
  catalogue: Catalogue
  ledger: Ledger
  knownBy: 'key' | 'title'
}): Recognise {
  return async (windows) => {
    const readings = windows.map(({ held: { feed }, reading }) =>
      withCleanLinks(withoutPrefixes(reading, feed.titlePrefix), feed.quirks?.varyingParameters),
    )
    const questions = windows.map(({ held }, i) => ({ feedId: held.feed.id, keys: keysOf(readings[i]!.entries) }))
    const answers: Answer[] = await knownKeys(ledger, questions)
    return Promise.all(
      windows.map(async ({ held }, i): Promise<Recognised> => {
        const reading = readings[i]!
        const { entries: window } = reading
        const isFirst = held.schedule.succeededAt === undefined
        if (isFirst || window.length === 0) return { reading, known: { keys: answers[i]!, said: NOTHING_SAID } }
        const { id, quirks = {} } = held.feed
        const own = quirks.matchBy === 'text' ? await matchedIn(id, window, answers[i]!) : { window, keys: answers[i]! }
        const settled = await settledIn(id, own.window, own.keys)
        const found = await knownAmong(id, settled)
        const { rewritten, ...known } = found
        return withQuirks({ reading: { ...reading, entries: settled.window }, known }, quirks, rewritten)
      }),
    )
  }

  /** As many as the window may have shown before, and some more; of the largest windows, fewer: they are all held at once. */
  async function latestOf(feedId: FeedId, window: EntryDraft[]): Promise<Entry[]> {
    const most = Math.min(MOST_LATEST, 2 * window.length)
    const latest: Entry[] = []
    for (;;) {
      const last = latest.at(-1)
      const after = last && { after: placeInTime(last) }
      const limit = Math.min(LATEST_AT_ONCE, most - latest.length)
      const some = await catalogue.entries({ feedId, limit, ...after })
      latest.push(...some)
      if (some.length < limit || latest.length >= most) return latest
      await yieldToEventLoop()
    }
  }

  /** Entries that say what a stored one says are that one: key, link and date stay what they were. */
  async function matchedIn(feedId: FeedId, window: EntryDraft[], own: Answer) {
    const unknown = window.filter(({ key }) => !own.has(key))
    if (unknown.length === 0) return { window, keys: own }
    const latest = await latestOf(feedId, window)
    const matched = await inSlices(matchedByText(unknown, latest))
    return {
      window: window.map((draft) => {
        const stored = matched.get(draft)
        return stored ? asStored(draft, stored) : draft
      }),
      keys: new Map([...own, ...[...matched.values()].map(knownOf)]),
    }
  }

  async function settledIn(feedId: FeedId, window: EntryDraft[], own: Answer) {
    const candidates = await inSlices(candidatesOf(window, own))
    const [found = []] = await knownKeys(ledger, [{ feedId, keys: otherKeys(candidates, own) }])
    const known = new Map([...own, ...found])
    const latest = asksForWords(window, known) ? await latestOf(feedId, window) : []
    const settled = await inSlices(settleKeys(window, candidates, known, latest))
    const isOfWindow = new Set(keysOf(settled))
    const kept = [...known].filter(([key]) => isOfWindow.has(key))
    const told = latest.filter(({ key }) => isOfWindow.has(key))
    return { window: settled, keys: new Map([...told.map(knownOf), ...kept]) }
  }

  async function knownAmong(
    feedId: FeedId,
    { window, keys }: { window: EntryDraft[]; keys: Answer },
  ): Promise<KnownWindow & { rewritten: boolean }> {
    const unknown = window.filter(({ key }) => !keys.has(key))
    const asksFurther = knownBy === 'title' ? unknown.length > 0 : mayBeRekeyed(unknown.length, window.length)
    if (!asksFurther) return { keys, said: NOTHING_SAID, rewritten: false }
    const latest = await latestOf(feedId, window)
    const saidLately = () => inSlices(sayingsInSteps(latest))
    if (knownBy === 'title')
      return { keys: withTitles(keys, window, latest), said: await saidLately(), rewritten: false }
    const stored = latest.filter(({ key }) => !keys.has(key))
    const healed = await inSlices(healedKeys(unknown, stored))
    if (keys.size === 0) {
      const byText = await inSlices(matchedByText(unknown, stored))
      if (isRewritten(byText.size, window.length))
        for (const [draft, entry] of byText) if (!healed.has(draft)) healed.set(draft, entry)
    }
    const rekeyed = [...healed].map(([{ key: to }, { key: from }]) => ({ from, to }))
    return {
      keys: new Map([...keys, ...[...healed].map(([{ key }, entry]) => knownOf({ ...entry, key }))]),
      said: keys.size === 0 ? await saidLately() : NOTHING_SAID,
      ...(rekeyed.length > 0 && { rekeyed }),
      rewritten: keys.size === 0 && isRewritten(healed.size, window.length),
    }
  }
}

/** With what the window tells of how the feed rewrites its entries. */
function withQuirks({ reading, known }: Recognised, before: FeedQuirks, rewritten: boolean): Recognised {
  const pairs = reading.entries.flatMap(({ key, url }): LinkPair[] => {
    const stored = known.keys.get(key)
    return url !== undefined && stored && stored !== 'forgotten' && stored.url ? [[stored.url, url]] : []
  })
  const varying = varyingParameters(pairs)
  const quirks = quirksAfter(
    varying.length > 0
      ? { ...before, varyingParameters: [...new Set([...(before.varyingParameters ?? []), ...varying])] }
      : before,
    rewritten,
  )
  if (JSON.stringify(quirks) === JSON.stringify(before)) return { reading, known }
  const entries = reading.entries.map((draft) => ({
    ...draft,
    ...(draft.url !== undefined && { url: withoutParameters(draft.url, varying) }),
  }))
  const isPlain = Object.keys(quirks).length === 0
  return {
    reading: varying.length > 0 ? { ...reading, entries } : reading,
    known: { ...known, quirks: isPlain ? null : quirks },
  }
}

/** Guids that are addresses vary with them. */
function withCleanLinks(reading: FeedReading, varying: readonly string[] | undefined): FeedReading {
  if (!varying) return reading
  const entries = reading.entries.map(({ key, url, ...draft }) => ({
    ...draft,
    key: /^https?:/i.test(key) ? withoutParameters(key, varying) : key,
    ...(url !== undefined && { url: withoutParameters(url, varying) }),
  }))
  return { ...reading, entries }
}

function asStored(draft: EntryDraft, { key, url, publishedAt, updatedAt }: Entry): EntryDraft {
  const { url: _url, publishedAt: _published, updatedAt: _updated, ...rest } = draft
  return {
    ...rest,
    key,
    ...(url !== undefined && { url }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  }
}

const NOTHING_SAID: ReadonlySet<string> = new Set()

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
