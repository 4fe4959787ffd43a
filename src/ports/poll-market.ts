/** The price of a poll, the budget that a person has named, and what is wanted of folders. */
import type { Market, Millis, Wants } from '../model/index.ts'

/** Polls that followed the price, and others; entries that they found which were published since the poll before, and their waiting. */
export interface PollsSpent {
  following: number
  others: number
  entries?: number
  waitedMs?: Millis
}

/** Both together. */
export function spentTogether(a: PollsSpent, b: PollsSpent): Required<PollsSpent> {
  return {
    following: a.following + b.following,
    others: a.others + b.others,
    entries: (a.entries ?? 0) + (b.entries ?? 0),
    waitedMs: (a.waitedMs ?? 0) + (b.waitedMs ?? 0),
  }
}

export const NOTHING_SPENT: Required<PollsSpent> = { following: 0, others: 0, entries: 0, waitedMs: 0 }

export interface MarketBook {
  /** The price of a poll and how many were bought; undefined until it was recorded. */
  market(): Promise<Market | undefined>
  recordMarket(market: Market): Promise<void>
  /** So many polls were made; where several make them, each says so, and they are added up. */
  spend(spent: PollsSpent): Promise<void>
  /** What was spent since this was asked last; whoever sets the price asks, and nobody else. */
  takeSpent(): Promise<PollsSpent>
  /** Polls a day, as a person has named them while it ran; undefined where nobody has. */
  namedBudget(): Promise<number | undefined>
  /** Replaces it; undefined takes it away. */
  nameBudget(pollsPerDay: number | undefined): Promise<void>
  /** What is wanted of folders, by their names. */
  folders(): Promise<Map<string, Wants>>
  /** Replaces what was wanted of a folder; nothing wanted drops it. */
  wantOfFolder(folder: string, wants: Wants): Promise<void>
}
