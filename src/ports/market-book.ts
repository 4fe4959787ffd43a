/** The price of a poll, and what is wanted of folders. */
import type { Market, Wants } from '../model/index.ts'

export interface MarketBook {
  /** The price of a poll and how many were bought; undefined until it was recorded. */
  market(): Promise<Market | undefined>
  recordMarket(market: Market): Promise<void>
  /** What is wanted of folders, by their names. */
  folders(): Promise<Map<string, Wants>>
  /** Replaces what was wanted of a folder; nothing wanted drops it. */
  wantOfFolder(folder: string, wants: Wants): Promise<void>
}
