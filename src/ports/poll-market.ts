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

export interface PollMarket {
  /** Undefined until it was first recorded. */
  market(): Promise<Market | undefined>
  recordMarket(market: Market): Promise<void>
  /** Adds to the counted polls. Several controllers may call it; their counts are added up. */
  recordSpent(spent: PollsSpent): Promise<void>
  /** Returns the polls counted since the last call and resets the count. Only called by the leader that sets the price. */
  takeSpent(): Promise<PollsSpent>
  /** Polls per day, as set by a user at run time; undefined if not set. */
  userBudget(): Promise<number | undefined>
  /** Undefined removes it. */
  setUserBudget(pollsPerDay: number | undefined): Promise<void>
  /** Polling goals by folder name. */
  folderGoals(): Promise<Map<string, PollingGoals>>
  /** Replaces the goals of a folder; an empty object removes them. */
  setFolderGoal(folder: string, goals: PollingGoals): Promise<void>
}
