/** Rules of users: when an entry matches a query in a scope, then actions. */
import type { EntryId, FeedId } from './feed.ts'
import type { Instant } from './time.ts'

/**
 * - read, star:   mark the entry
 * - label:        add a label
 * - mute:         hide it from all lists and searches
 * - keep-only:    mute everything in the scope that does not match
 * - stop:         skip later rules
 */
export type RuleAction =
  | { kind: 'read' }
  | { kind: 'star' }
  | { kind: 'label'; label: string }
  | { kind: 'mute' }
  | { kind: 'keep-only' }
  | { kind: 'stop' }

/** All followed feeds, those in a folder or below it, or one feed. */
export type RuleScope = { kind: 'all' } | { kind: 'folder'; folder: string } | { kind: 'feed'; feedId: FeedId }

export interface Rule {
  readonly id: string
  name: string
  enabled: boolean
  scope: RuleScope
  /** As typed. Empty: every entry in the scope. */
  query: string
  actions: RuleAction[]
}

/** How often a rule matched, by day (such as 2026-03-01), and its last match. */
export interface RuleMatches {
  days: Record<string, number>
  lastAt?: Instant
  lastEntryId?: EntryId
}

/** Rules per user. */
export const MAX_RULES = 500
/** Actions per rule. */
export const MAX_RULE_ACTIONS = 10
