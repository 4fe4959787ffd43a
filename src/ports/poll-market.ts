/** The price of a poll, the budget set by a user, and polling goals of folders. */
import type { Market, Millis, PollingGoals } from '../model/index.ts'

/** Counted polls: `following` depend on the price, `others` do not. Entries found that were published since the previous poll, and their total delay. */
export interface PollsSpent {
  following: number
  others: number
  entries?: number
  waitedMs?: Millis
}

export function addSpent(a: PollsSpent, b: PollsSpent): Required<PollsSpent> {
  return {
    following: a.following + b.following,
    others: a.others + b.others,
    entries: (a.entries ?? 0) + (b.entries ?? 0),
    waitedMs: (a.waitedMs ?? 0) + (b.waitedMs ?? 0),
  }
}

export const NOTHING_SPENT: Required<PollsSpent> = { following: 0, others: 0, entries: 0, waitedMs: 0 }

/** What users have set at run time. */
export interface PollSettings {
  /** Absent if not set. */
  pollsPerDay?: number
  /** Polling goals by folder name. */
  folderGoals: Map<string, PollingGoals>
}

/** Undefined removes the budget; empty goals remove those of a folder. */
export type PollSettingsChange = { pollsPerDay: number | undefined } | { folder: string; goals: PollingGoals }

export interface PollMarket {
  /** Undefined until it was first recorded. */
  market(): Promise<Market | undefined>
  recordMarket(market: Market): Promise<void>
  /** Adds to the counted polls. Several controllers may call it; their counts are added up. */
  recordSpent(spent: PollsSpent): Promise<void>
  /** Returns the polls counted since the last call and resets the count. Only called by the leader that sets the price. */
  takeSpent(): Promise<PollsSpent>
  pollSettings(): Promise<PollSettings>
  changePollSettings(change: PollSettingsChange): Promise<void>
}
