/** What the rules of a user do with an entry: in their order, each sees the changes of the earlier ones. */
import {
  type EntryState,
  type FeedId,
  type Instant,
  MAX_RULE_ACTIONS,
  type Rule,
  type RuleEffect,
} from '../model/index.ts'
import { prefixKeyOf } from '../ports/index.ts'
import type { CompiledQuery, RuleDocument } from './compile-query.ts'

export interface CompiledRule extends CompiledQuery {
  rule: Rule
  /** Undefined: all. */
  feeds?: ReadonlySet<FeedId>
}

export interface RuleOutcome {
  /** Ids of the rules that matched, in their order. */
  matched: string[]
  read: boolean
  star: boolean
  mute: boolean
  /** In the order in which they were added. */
  labels: string[]
  /** In the order of the rules, each once. */
  effects: RuleEffect[]
  /** The first rule that asks for a notification. */
  notifiedBy?: string
}

type MatchRules = (document: RuleDocument, initial: EntryState, now: Instant) => RuleOutcome

const NONE: readonly number[] = []
/** Languages whose words are remembered. */
const MAX_LANGUAGES = 100

/** Looks up the words of an entry to find the rules that may match: most rules cost nothing then. */
export function createRuleMatcher(rules: readonly CompiledRule[]): MatchRules {
  interface Candidates {
    /** Indexes of rules. */
    byWord: Map<string, number[]>
    /** Rules that are not found by a word. */
    others: number[]
  }
  const byLanguage = new Map<string, Candidates>()

  function candidatesIn(language: string): Candidates {
    const candidates: Candidates = { byWord: new Map(), others: [] }
    for (const [i, rule] of rules.entries()) {
      const words = rule.wordsToLookFor(language)
      if (!words) candidates.others.push(i)
      for (const word of new Set(words)) {
        const known = candidates.byWord.get(word)
        if (known) known.push(i)
        else candidates.byWord.set(word, [i])
      }
    }
    if (byLanguage.size >= MAX_LANGUAGES) byLanguage.clear()
    byLanguage.set(language, candidates)
    return candidates
  }

  return (document, initial, now) => {
    const { language, title, text, names } = document.indexed
    const { byWord, others } = byLanguage.get(language) ?? candidatesIn(language)
    const mayMatch = new Uint8Array(rules.length)
    for (const i of others) mayMatch[i] = 1
    for (const { positions } of [title, text, names])
      for (const word of positions.keys()) {
        for (const i of byWord.get(word) ?? NONE) mayMatch[i] = 1
        for (const i of byWord.get(prefixKeyOf(word)) ?? NONE) mayMatch[i] = 1
      }
    return matchInOrder(rules, (i) => mayMatch[i] === 1, document, initial, now)
  }
}

function matchInOrder(
  rules: readonly CompiledRule[],
  mayMatch: (i: number) => boolean,
  document: RuleDocument,
  initial: EntryState,
  now: Instant,
): RuleOutcome {
  const state: EntryState = { ...initial, labels: [...(initial.labels ?? [])] }
  const outcome: RuleOutcome = { matched: [], read: false, star: false, mute: false, labels: [], effects: [] }
  for (const [i, { rule, feeds, matches }] of rules.entries()) {
    if (feeds && !feeds.has(document.indexed.feedId)) continue
    const isMatch = mayMatch(i) && matches(document, state, now)
    if (isMatch) outcome.matched.push(rule.id)
    let isStopped = false
    for (const action of rule.actions.slice(0, MAX_RULE_ACTIONS)) {
      const isMuted = action.kind === 'mute' ? isMatch : action.kind === 'keep-only' && !isMatch
      if (isMuted) {
        outcome.mute = true
        state.muted = true
      }
      if (!isMatch) continue
      switch (action.kind) {
        case 'stop':
          isStopped = true
          break
        case 'read':
          outcome.read = true
          state.read = true
          break
        case 'star':
          outcome.star = true
          state.starred = true
          break
        case 'label':
          if (!outcome.labels.includes(action.label)) outcome.labels.push(action.label)
          state.labels!.push(action.label)
          break
        case 'notify':
          outcome.notifiedBy ??= rule.id
          break
        case 'mute':
        case 'keep-only':
          break // done above, also for what does not match
        default:
          addEffect(outcome.effects, action)
      }
    }
    if (isStopped) break
  }
  return outcome
}

function addEffect(effects: RuleEffect[], effect: RuleEffect): void {
  const isKnown = effects.some((one) => JSON.stringify(one) === JSON.stringify(effect))
  if (!isKnown) effects.push(effect)
}
