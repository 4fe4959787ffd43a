/** Matches entries with the rules of a user, and does what the rules say. */
import type { Entry, EntryId, Instant, UserId } from '../model/index.ts'
import { sortPosition, UNCATEGORIZED, UNKNOWN_LANGUAGE } from '../model/index.ts'
import { hostOf, type ReaderState, searchedPart } from '../ports/index.ts'
import {
  type CompiledRule,
  createRuleMatcher,
  type RuleDocument,
  type RuleOutcome,
  ruleDocument,
} from '../rules/index.ts'
import { mapInSlices } from '../runtime/index.ts'
import { type Catalogues, searchedTexts } from '../views/index.ts'

/** Entries whose texts are in memory at once. */
export const ENTRIES_AT_ONCE = 50
/** Of a text, as in the search index. */
const MAX_TEXT = 100_000
const MAX_WORDS = { words: 20_000, different: 5000 }

export interface EntryOutcome extends RuleOutcome {
  entry: Entry
}

/** At most `ENTRIES_AT_ONCE` entries. */
export async function matchEntries(
  entries: Entry[],
  rules: readonly CompiledRule[],
  stores: Catalogues,
  { userId, now }: { userId: UserId; now: Instant },
): Promise<EntryOutcome[]> {
  if (entries.length === 0 || rules.length === 0) return []
  const [texts, states] = await Promise.all([
    searchedTexts(entries, stores, userId),
    stores.readerState.entryStates(
      userId,
      entries.map(({ id }) => id),
    ),
  ])
  const match = matcherOf(rules)
  const indexes = [...entries.keys()]
  return mapInSlices(indexes, (i) => ({
    entry: entries[i]!,
    ...match(documentOf(entries[i]!, texts[i]!), states[i]!, now),
  }))
}

const matchers = new WeakMap<readonly CompiledRule[], ReturnType<typeof createRuleMatcher>>()

/** Kept as long as the compiled rules. */
function matcherOf(rules: readonly CompiledRule[]): ReturnType<typeof createRuleMatcher> {
  const known = matchers.get(rules) ?? createRuleMatcher(rules)
  matchers.set(rules, known)
  return known
}

/** The same words as in the search index. */
function documentOf(entry: Entry, text: string): RuleDocument {
  const { id, feedId, title, tags = [], people = [], author, url, language, category } = entry
  const host = url === undefined ? undefined : hostOf(url)
  const document = {
    id,
    feedId,
    at: sortPosition(entry).at,
    title,
    text: [searchedPart(text.slice(0, MAX_TEXT), MAX_WORDS), ...tags].join('\n'),
    names: [...new Set([author ?? '', ...people.map(({ name }) => name ?? '')])].filter(Boolean),
    language: language ?? UNKNOWN_LANGUAGE,
    category: category ?? UNCATEGORIZED,
    ...(host && { host }),
  }
  return ruleDocument(document, url)
}

/** Repeating it changes nothing. Returns the number of entries that changed. */
export async function applyOutcomes(
  outcomes: readonly EntryOutcome[],
  readerState: ReaderState,
  userId: UserId,
  at: Instant,
): Promise<number> {
  const changed = new Set<EntryId>()
  const note = (ids: readonly EntryId[]) => {
    for (const id of ids) changed.add(id)
  }
  const idsWhere = (isMeant: (outcome: EntryOutcome) => boolean) =>
    outcomes.filter(isMeant).map(({ entry }) => entry.id)
  for (const [label, ids] of idsByLabel(outcomes)) {
    const labeled = await readerState.labelEntries(userId, ids, { add: [label] }, at)
    if (labeled !== 'too-many-labels') note(labeled)
  }
  const starred = idsWhere(({ star }) => star)
  if (starred.length > 0) note(await readerState.starEntries(userId, starred, true, at))
  const read = idsWhere((outcome) => outcome.read)
  if (read.length > 0) note((await readerState.markEntries(userId, read, 'read', at)).changed)
  const muted = idsWhere(({ mute }) => mute)
  if (muted.length > 0) note(await readerState.muteEntries(userId, muted, true, at))
  return changed.size
}

function idsByLabel(outcomes: readonly EntryOutcome[]): Map<string, EntryId[]> {
  const ids = new Map<string, EntryId[]>()
  for (const { entry, labels } of outcomes)
    for (const label of labels) ids.set(label, [...(ids.get(label) ?? []), entry.id])
  return ids
}
