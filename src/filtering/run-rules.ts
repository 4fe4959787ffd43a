/**
 * Applies the rules of all users to new entries, while the server runs. Each user has a cursor in the store, which moves once the changes
 * are stored: after a crash, some entries are checked again, which changes nothing. Entries whose articles are still to be fetched wait
 * for them for a while, if a rule needs the text.
 */
import { type Entry, type EntryId, type Instant, MINUTE, type Millis, SECOND, type UserId } from '../model/index.ts'
import { addPending, reasonOfRule } from '../notifications/index.ts'
import type { Clock, UserValues } from '../ports/index.ts'
import type { CompiledRule } from '../rules/index.ts'
import { type Catalogues, type VisibilityParts, type VisibleParts, visibleToUser } from '../views/index.ts'
import { createApplyEffects, type EffectParts } from './apply-effects.ts'
import { compileRules } from './compile-rules.ts'
import { applyOutcomes, ENTRIES_AT_ONCE, type EntryOutcome, matchEntries } from './match-entries.ts'
import { countMatch, loadProgress, loadRules, type RuleProgress, saveProgress } from './stored-rules.ts'

export interface RuleRunnerParts extends Catalogues, VisibilityParts, Pick<VisibleParts, 'search'>, EffectParts {
  userValues: UserValues
  clock: Clock
  /** Checked before each step: false if another process may have taken over. */
  isStillOwner?: () => boolean
  /** An internal error; the rules of other users continue. */
  onInternalError?: (error: unknown, doing: string) => void
}

interface RuleRunner {
  /** Runs until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Applies all rules to what has arrived. */
  runOnce(): Promise<void>
  /** Call when there may be new entries. */
  wake(): void
}

/** Without new entries: for entries that wait, and changed rules. */
const INTERVAL_MS: Millis = 15 * SECOND
/** Between two rounds, however many polls bring entries. */
const MIN_INTERVAL_MS: Millis = SECOND
/** How long an entry waits for its article. */
const MAX_ARTICLE_WAIT_MS: Millis = 10 * MINUTE
const MAX_WAITING = 1000
/** Compiled rules are used for this long: names of feeds and folders may change. */
const COMPILED_MS: Millis = MINUTE
/** Progress without matches is stored this often. */
const SAVE_PROGRESS_EVERY = 2000

interface Compiled {
  /** Those that are enabled. */
  rules: CompiledRule[]
  /** Of all rules. */
  ids: ReadonlySet<string>
}

export function createRuleRunner(parts: RuleRunnerParts): RuleRunner {
  const {
    userValues,
    catalogue,
    articleCatalogue,
    clock,
    isStillOwner = () => true,
    onInternalError = () => {},
  } = parts
  const applyEffects = createApplyEffects(parts)
  const compiledOf = new Map<UserId, Compiled & { source: string; at: Instant }>()
  /** How far entries were checked without matches, if further than stored. */
  const checkedUpTo = new Map<UserId, EntryId>()
  let wakeUp = Promise.withResolvers<void>()

  async function usersWithRules(): Promise<UserId[]> {
    const ids = new Set<UserId>()
    for await (const { userId } of userValues.everyUserValue('rule')) ids.add(userId)
    return [...ids]
  }

  async function compiledRules(userId: UserId, stores: Catalogues): Promise<Compiled> {
    const rules = await loadRules(parts, userId)
    const source = JSON.stringify(rules)
    const known = compiledOf.get(userId)
    const now = clock.now()
    if (known?.source === source && now - known.at < COMPILED_MS) return known
    const ids = new Set(rules.map(({ id }) => id))
    const compiled = { rules: await compileRules(rules, stores, { userId, now }), ids }
    compiledOf.set(userId, { source, at: now, ...compiled })
    return compiled
  }

  /** Returns whether there may be more entries to check now. */
  async function applyToNext(userId: UserId): Promise<boolean> {
    const visible = await visibleToUser(userId, parts)
    const { rules, ids } = await compiledRules(userId, visible)
    const progress = await loadProgress(parts, userId)
    if (rules.length === 0 || !progress) return false
    const from = Math.max(progress.cursor, checkedUpTo.get(userId) ?? 0) as EntryId
    const arrived: Entry[] = []
    for await (const entry of catalogue.everyEntry({ after: from })) if (arrived.push(entry) === ENTRIES_AT_ONCE) break
    const cursor = arrived.at(-1)?.id ?? from
    const isLast = arrived.length < ENTRIES_AT_ONCE
    const waited = (await catalogue.entriesById(progress.waiting.slice(0, ENTRIES_AT_ONCE))).filter(
      (entry) => entry !== undefined,
    )
    const followed = await followedAmong([...waited, ...arrived], userId)
    const complete = rules.some(({ needsText }) => needsText) ? await completeAmong(followed) : followed
    const completeIds = new Set(complete.map(({ id }) => id))
    const stillWaiting = followed.filter(({ id }) => !completeIds.has(id)).map(({ id }) => id)
    const waiting = [...stillWaiting, ...progress.waiting.slice(ENTRIES_AT_ONCE)].slice(0, MAX_WAITING)
    const kept = Object.entries(progress.matches).filter(([id]) => ids.has(id))
    const next: RuleProgress = { cursor, waiting, matches: Object.fromEntries(kept) }
    let hasMatches = false
    for (let i = 0; i < complete.length; i += ENTRIES_AT_ONCE) {
      const now = clock.now()
      const chunk = complete.slice(i, i + ENTRIES_AT_ONCE)
      const outcomes = await matchEntries(chunk, rules, visible, { userId, now })
      if (!isStillOwner()) return false
      await applyOutcomes(outcomes, visible.readerState, userId, now)
      await addNotifications(outcomes, rules, userId)
      for (const { entry, matched, effects } of outcomes) {
        await applyEffects(userId, entry.id, effects, now)
        for (const id of matched) {
          next.matches[id] = countMatch(next.matches[id], entry.id, now)
          hasMatches = true
        }
      }
    }
    const isWaitingChanged = waiting.length > 0 || progress.waiting.length > 0
    if (hasMatches || isWaitingChanged || cursor - progress.cursor >= SAVE_PROGRESS_EVERY)
      await saveProgress(parts, userId, next)
    checkedUpTo.set(userId, cursor)
    return !isLast
  }

  async function addNotifications(outcomes: EntryOutcome[], rules: readonly CompiledRule[], userId: UserId) {
    const notified = outcomes.filter(({ notifiedBy, mute }) => notifiedBy !== undefined && !mute)
    for (const [id, of] of Map.groupBy(notified, ({ notifiedBy }) => notifiedBy)) {
      const { rule } = rules.find((one) => one.rule.id === id)!
      const ids = of.map(({ entry }) => entry.id)
      await addPending(parts, userId, ids, reasonOfRule(rule))
    }
  }

  async function followedAmong(entries: Entry[], userId: UserId): Promise<Entry[]> {
    const feedIds = [...new Set(entries.map(({ feedId }) => feedId))]
    const subscriptions = await parts.readerState.subscriptionsTo(userId, feedIds)
    const followed = new Set(feedIds.filter((_, i) => subscriptions[i] !== undefined))
    return entries.filter(({ feedId }) => followed.has(feedId))
  }

  /** Entries whose article is there or will not come soon. */
  async function completeAmong(entries: Entry[]): Promise<Entry[]> {
    const articles = await articleCatalogue.articlesOfEntries(entries.map(({ id }) => id))
    const now = clock.now()
    return entries.filter(({ seenAt }, i) => articles[i]?.state !== 'waiting' || now - seenAt >= MAX_ARTICLE_WAIT_MS)
  }

  async function runOnce(signal?: AbortSignal): Promise<void> {
    for (const userId of await usersWithRules())
      try {
        while (!signal?.aborted && isStillOwner() && (await applyToNext(userId)));
      } catch (error) {
        onInternalError(error, `applying the rules of user ${userId}`)
      }
  }

  return {
    runOnce,
    wake: () => wakeUp.resolve(),
    async run(signal) {
      const wake = () => wakeUp.resolve()
      signal.addEventListener('abort', wake)
      let checked: EntryId | undefined
      for (let checkAllAt = 0; !signal.aborted; ) {
        wakeUp = Promise.withResolvers()
        const now = clock.now()
        try {
          const newest = await catalogue.newestEntryId()
          if (newest !== checked || now >= checkAllAt) {
            await runOnce(signal)
            checked = newest
            checkAllAt = now + INTERVAL_MS
          }
        } catch (error) {
          onInternalError(error, 'loading rules')
        }
        const timer = new AbortController()
        await Promise.race([wakeUp.promise, clock.sleepUntil(checkAllAt, timer.signal)])
        timer.abort()
        if (!signal.aborted) await clock.sleepUntil(now + MIN_INTERVAL_MS, signal)
      }
      signal.removeEventListener('abort', wake)
    },
  }
}
