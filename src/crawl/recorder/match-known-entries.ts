/**
 * Matches the entries of windows with stored ones. First by their keys. For entries whose key is unknown, or belongs to a different entry,
 * by the other keys that they may have been given (feeds/reconcile/resolve-keys). Some feeds change all their keys, or generate new ones at
 * every poll: if few keys are known, stored texts are compared, and stored entries get the new keys. A feed that changes its keys at every
 * poll is matched by title and text from then on, and varying parameters are removed from its links (`FeedQuirks`).
 */
import {
  alternativeKeys,
  entrySignaturesInSteps,
  haveKeysChanged,
  isRewritten,
  keyCandidates,
  type LinkPair,
  MAX_REMEMBERED_PER_FEED,
  matchByText,
  matchChangedKeys,
  needsEntryTexts,
  quirksAfter,
  removeParameters,
  resolveKeys,
  varyingParameters,
} from '../../feeds/index.ts'
import {
  type Entry,
  type EntryDraft,
  type FeedId,
  type FeedQuirks,
  type FetchedFeed,
  type KnownEntry,
  type RewriteRule,
  type ScheduledFeed,
  sortPosition,
  webAddress,
} from '../../model/index.ts'
import type { Catalogue, PollResults } from '../../ports/index.ts'
import { compileRewrites } from '../../rules/index.ts'
import { inSlices, yieldToEventLoop } from '../../runtime/index.ts'
import { identifiersOf } from './entry-identifiers.ts'
import { findKnownKeys, type KnownEntries, withoutPrefixes } from './window.ts'

export interface MatchedWindow {
  /** Its entries have cleaned titles, and the keys under which they are or will be stored. */
  reading: FetchedFeed
  knownEntries: KnownEntries
}

const MAX_LATEST = 2000
const LATEST_CHUNK = 100 // with full texts: some milliseconds

type KnownByKey = ReadonlyMap<string, KnownEntry>

export type MatchWindows = (windows: { scheduled: ScheduledFeed; reading: FetchedFeed }[]) => Promise<MatchedWindow[]>

export function createWindowMatcher({
  catalogue,
  pollResults,
  knownBy,
}: {
  catalogue: Catalogue
  pollResults: PollResults
  knownBy: 'key' | 'title'
}): MatchWindows {
  return async (windows) => {
    const cleaned = windows.map(({ scheduled: { feed }, reading }) =>
      applyRewrites(
        withCleanLinks(withoutPrefixes(reading, feed.titlePrefix), feed.quirks?.varyingParameters),
        feed.fetching?.rewrites,
      ),
    )
    const queries = windows.map(({ scheduled }, i) => ({
      feedId: scheduled.feed.id,
      keys: keysOf(cleaned[i]!.entries),
    }))
    const knownByKey: KnownByKey[] = await findKnownKeys(pollResults, queries)
    return Promise.all(
      windows.map(async ({ scheduled }, i): Promise<MatchedWindow> => {
        const reading = cleaned[i]!
        const { entries: window } = reading
        const isFirst = scheduled.schedule.succeededAt === undefined
        if (window.length === 0) return { reading, knownEntries: { keys: knownByKey[i]!, recentTexts: NO_TEXTS } }
        if (isFirst) return { reading, knownEntries: await matchImported(scheduled.feed.id, window, knownByKey[i]!) }
        const { id, quirks = {} } = scheduled.feed
        const matched =
          quirks.matchBy === 'text'
            ? await matchWindowByText(id, window, knownByKey[i]!)
            : { window, keys: knownByKey[i]! }
        const resolved = await resolveWindowKeys(id, matched.window, matched.keys)
        const found = await findKnown(id, resolved)
        const { rewritten, ...knownEntries } = found
        return withQuirks({ reading: { ...reading, entries: resolved.window }, knownEntries }, quirks, rewritten)
      }),
    )
  }

  /** The latest stored entries: twice the size of the window, up to a limit, since all are in memory at once. */
  async function latestOf(feedId: FeedId, window: EntryDraft[], minEntries = 0): Promise<Entry[]> {
    const maxEntries = Math.min(MAX_LATEST, Math.max(minEntries, 2 * window.length))
    const latest: Entry[] = []
    for (;;) {
      const last = latest.at(-1)
      const after = last && { after: sortPosition(last) }
      const limit = Math.min(LATEST_CHUNK, maxEntries - latest.length)
      const chunk = await catalogue.entries({ feedId, limit, ...after })
      latest.push(...chunk)
      if (chunk.length < limit || latest.length >= maxEntries) return latest
      await yieldToEventLoop()
    }
  }

  /** Before its first poll a feed has only entries from other readers, which often do not know its guids: they get its keys. */
  async function matchImported(feedId: FeedId, window: EntryDraft[], known: KnownByKey): Promise<KnownEntries> {
    const unknown = window.filter(({ key }) => !known.has(key))
    const latest = unknown.length > 0 ? await latestOf(feedId, window, MAX_REMEMBERED_PER_FEED) : []
    const byIdentifier = new Map<string, Entry>()
    for (const entry of latest)
      if (!known.has(entry.key)) for (const identifier of identifiersOf(entry)) byIdentifier.set(identifier, entry)
    const keys = new Map(known)
    for (const draft of window) {
      const before = known.get(draft.key)
      if (before && before !== 'forgotten' && before.textHash === undefined && hasText(draft))
        keys.set(draft.key, { ...before, title: '' }) // it counts as changed, so that its text is stored
    }
    const keyChanges = new Map<string, string>()
    for (const draft of unknown) {
      const same = identifiersOf(draft).map((identifier) => byIdentifier.get(identifier))
      const entry = same.find((one) => one !== undefined && !keyChanges.has(one.key))
      if (!entry) continue
      keyChanges.set(entry.key, draft.key)
      const title = hasText(entry) || !hasText(draft) ? entry.title : ''
      keys.set(...knownOf({ ...entry, key: draft.key, title }))
    }
    const changes = [...keyChanges].map(([from, to]) => ({ from, to }))
    return { keys, recentTexts: NO_TEXTS, ...(changes.length > 0 && { keyChanges: changes }) }
  }

  /** Matches entries with stored ones of the same text: these keep their stored key, link and dates. */
  async function matchWindowByText(feedId: FeedId, window: EntryDraft[], known: KnownByKey) {
    const unknown = window.filter(({ key }) => !known.has(key))
    if (unknown.length === 0) return { window, keys: known }
    const latest = await latestOf(feedId, window)
    const matched = await inSlices(matchByText(unknown, latest))
    return {
      window: window.map((draft) => {
        const stored = matched.get(draft)
        return stored ? asStored(draft, stored) : draft
      }),
      keys: new Map([...known, ...[...matched.values()].map(knownOf)]),
    }
  }

  async function resolveWindowKeys(feedId: FeedId, window: EntryDraft[], known: KnownByKey) {
    const candidates = await inSlices(keyCandidates(window, known))
    const [found = []] = await findKnownKeys(pollResults, [{ feedId, keys: alternativeKeys(candidates, known) }])
    const knownEntries = new Map([...known, ...found])
    const latest = needsEntryTexts(window, knownEntries) ? await latestOf(feedId, window) : []
    const resolved = await inSlices(resolveKeys(window, candidates, knownEntries, latest))
    const isOfWindow = new Set(keysOf(resolved))
    const knownOfWindow = [...knownEntries].filter(([key]) => isOfWindow.has(key))
    const latestOfWindow = latest.filter(({ key }) => isOfWindow.has(key))
    return { window: resolved, keys: new Map([...latestOfWindow.map(knownOf), ...knownOfWindow]) }
  }

  async function findKnown(
    feedId: FeedId,
    { window, keys }: { window: EntryDraft[]; keys: KnownByKey },
  ): Promise<KnownEntries & { rewritten: boolean }> {
    const unknown = window.filter(({ key }) => !keys.has(key))
    const needsTexts = knownBy === 'title' ? unknown.length > 0 : haveKeysChanged(unknown.length, window.length)
    if (!needsTexts) return { keys, recentTexts: NO_TEXTS, rewritten: false }
    const latest = await latestOf(feedId, window)
    const recentTextsOf = () => inSlices(entrySignaturesInSteps(latest))
    if (knownBy === 'title')
      return { keys: withTitles(keys, window, latest), recentTexts: await recentTextsOf(), rewritten: false }
    const stored = latest.filter(({ key }) => !keys.has(key))
    const healed = await inSlices(matchChangedKeys(unknown, stored))
    if (keys.size === 0) {
      const byText = await inSlices(matchByText(unknown, stored))
      if (isRewritten(byText.size, window.length))
        for (const [draft, entry] of byText) if (!healed.has(draft)) healed.set(draft, entry)
    }
    const keyChanges = [...healed].map(([{ key: to }, { key: from }]) => ({ from, to }))
    return {
      keys: new Map([...keys, ...[...healed].map(([{ key }, entry]) => knownOf({ ...entry, key }))]),
      recentTexts: keys.size === 0 ? await recentTextsOf() : NO_TEXTS,
      ...(keyChanges.length > 0 && { keyChanges }),
      rewritten: keys.size === 0 && isRewritten(healed.size, window.length),
    }
  }
}

/** Adds what the window shows about how the feed rewrites its entries. */
function withQuirks({ reading, knownEntries }: MatchedWindow, before: FeedQuirks, rewritten: boolean): MatchedWindow {
  const pairs = reading.entries.flatMap(({ key, url }): LinkPair[] => {
    const stored = knownEntries.keys.get(key)
    return url !== undefined && stored && stored !== 'forgotten' && stored.url ? [[stored.url, url]] : []
  })
  const varying = varyingParameters(pairs)
  const quirks = quirksAfter(
    varying.length > 0
      ? { ...before, varyingParameters: [...new Set([...(before.varyingParameters ?? []), ...varying])] }
      : before,
    rewritten,
  )
  if (JSON.stringify(quirks) === JSON.stringify(before)) return { reading, knownEntries }
  const entries = reading.entries.map((draft) => ({
    ...draft,
    ...(draft.url !== undefined && { url: removeParameters(draft.url, varying) }),
  }))
  const isPlain = Object.keys(quirks).length === 0
  return {
    reading: varying.length > 0 ? { ...reading, entries } : reading,
    knownEntries: { ...knownEntries, quirks: isPlain ? null : quirks },
  }
}

/** Removes varying parameters from links, and from guids that are addresses. */
function withCleanLinks(reading: FetchedFeed, varying: readonly string[] | undefined): FetchedFeed {
  if (!varying) return reading
  const entries = reading.entries.map(({ key, url, ...draft }) => ({
    ...draft,
    key: /^https?:/i.test(key) ? removeParameters(key, varying) : key,
    ...(url !== undefined && { url: removeParameters(url, varying) }),
  }))
  return { ...reading, entries }
}

/** Rules that no longer compile, as after an upgrade, are ignored. Keys stay: an entry is known whatever its link looks like. */
function applyRewrites(reading: FetchedFeed, rules: readonly RewriteRule[] | undefined): FetchedFeed {
  const rewrite = rules && compileRewrites(rules)
  if (!rewrite || 'fault' in rewrite) return reading
  const entries = reading.entries.map((entry) => {
    const url = entry.url === undefined ? undefined : webAddress(rewrite('link', entry.url))
    return { ...entry, title: rewrite('title', entry.title), ...(url && { url }) }
  })
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

const NO_TEXTS: ReadonlySet<string> = new Set()

function hasText({ content, summary }: EntryDraft): boolean {
  return Boolean(content || summary)
}

function keysOf(window: EntryDraft[]): string[] {
  return window.map(({ key }) => key)
}

function knownOf({ key, title, url, publishedAt, seenAt }: EntryDraft & { seenAt: number }): [string, KnownEntry] {
  return [key, { title, ...(url && { url }), ...(publishedAt !== undefined && { publishedAt }), seenAt }]
}

/** Entries with a known title in the same feed are known, whatever their key (Adam et al. 2009). */
function withTitles(
  keys: KnownByKey,
  window: EntryDraft[],
  latest: { title: string; seenAt: number }[],
): Map<string, KnownEntry> {
  const seen = new Map(latest.map(({ title, seenAt }) => [title, seenAt]))
  const knownEntries = new Map(keys)
  for (const { key, title, url } of window) {
    const seenAt = seen.get(title)
    if (seenAt !== undefined && !knownEntries.has(key)) knownEntries.set(key, { title, seenAt, ...(url && { url }) })
  }
  return knownEntries
}
