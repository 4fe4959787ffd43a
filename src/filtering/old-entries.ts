/** What a rule would match among the newest entries of its scope, and applying a rule to entries that have been read before. */
import type { Entry, EntryId, Rule, UserId } from '../model/index.ts'
import type { Clock, QueryFault } from '../ports/index.ts'
import type { Catalogues } from '../views/index.ts'
import { compileRule } from './compile-rules.ts'
import { applyOutcomes, ENTRIES_AT_ONCE, type EntryOutcome, matchEntries } from './match-entries.ts'

/** Entries that are checked for a preview. */
const MAX_PREVIEWED = 1000
const MAX_PREVIEW_MS = 5000
/** Matching entries that a preview lists. */
const MAX_SHOWN = 20
/** Entries to which a rule is applied at once. */
const MAX_APPLIED = 200

type Parts = Catalogues & { clock: Pick<Clock, 'now'> }

export interface RulePreview {
  checked: number
  matched: number
  /** Newest first. */
  entries: Entry[]
}

/** `visible`: what the user sees. */
export async function previewMatches(rule: Rule, userId: UserId, visible: Parts): Promise<RulePreview | QueryFault> {
  const start = performance.now()
  const result = await compileRule(rule, visible, { userId, now: visible.clock.now() })
  if ('fault' in result) return result
  const rules = [result.compiled]
  const preview: RulePreview = { checked: 0, matched: 0, entries: [] }
  for await (const chunk of entriesInScope(rule, userId, visible, MAX_PREVIEWED)) {
    const outcomes = await matchEntries(chunk, rules, visible, { userId, now: visible.clock.now() })
    const matching = outcomes.filter(({ matched }) => matched.length > 0).map(({ entry }) => entry)
    preview.checked += chunk.length
    preview.matched += matching.length
    preview.entries.push(...matching.slice(0, MAX_SHOWN - preview.entries.length))
    if (performance.now() - start > MAX_PREVIEW_MS) break
  }
  return preview
}

/** Applies a rule to the next entries before one, newest first. `next`: continue before this one; absent at the end. */
export async function applyToOld(
  rule: Rule,
  userId: UserId,
  visible: Parts,
  before?: EntryId,
): Promise<{ checked: number; matched: number; changed: number; next?: EntryId } | QueryFault> {
  const result = await compileRule(rule, visible, { userId, now: visible.clock.now() })
  if ('fault' in result) return result
  const rules = [result.compiled]
  let [checked, matched, changed] = [0, 0, 0]
  let last: EntryId | undefined
  for await (const chunk of entriesInScope(rule, userId, visible, MAX_APPLIED, before)) {
    const now = visible.clock.now()
    const outcomes: EntryOutcome[] = await matchEntries(chunk, rules, visible, { userId, now })
    changed += await applyOutcomes(outcomes, visible.readerState, userId, now)
    matched += outcomes.filter((outcome) => outcome.matched.length > 0).length
    checked += chunk.length
    last = chunk.at(-1)?.id
  }
  return { checked, matched, changed, ...(checked >= MAX_APPLIED && last !== undefined && { next: last }) }
}

/** Newest arrivals first, in chunks, at most `limit`. */
async function* entriesInScope(
  { scope }: Rule,
  userId: UserId,
  { catalogue, readerState }: Catalogues,
  limit: number,
  before?: EntryId,
): AsyncGenerator<Entry[]> {
  const narrowed =
    scope.kind === 'feed' ? { feedIds: [scope.feedId] } : scope.kind === 'folder' ? { folder: scope.folder } : {}
  let after = before
  for (let count = 0; count < limit; ) {
    const { arrivals, nextAfter } = await readerState.arrivalsFor(userId, {
      ...narrowed,
      order: 'newest',
      limit: Math.min(ENTRIES_AT_ONCE, limit - count),
      ...(after !== undefined && { after }),
    })
    const entries = (await catalogue.entriesById(arrivals.map(({ id }) => id))).filter((entry) => entry !== undefined)
    if (entries.length > 0) yield entries
    count += arrivals.length
    if (nextAfter === undefined) return
    after = nextAfter
  }
}
