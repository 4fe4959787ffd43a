/**
 * Services of the dashboard that only the composition root can provide: discovery without a store, backtests, settings. Optional: without
 * them the dashboard has fewer functions.
 */
import type { BacktestShape, SettingShape } from '../api/index.ts'
import type { Discovery } from '../crawl/index.ts'
import type { Host, Instant, RobotsRecord, WebAddress } from '../model/index.ts'

export interface BacktestRequest {
  strategies: string
  lastDays: number
  now: Instant
  onProgress: (done: number, of: number) => void
  signal: AbortSignal
}

export interface DashboardServices {
  discover(url: WebAddress, signal: AbortSignal): Promise<Discovery>
  runBacktest(
    request: BacktestRequest,
  ): Promise<Pick<BacktestShape, 'feeds' | 'days' | 'today' | 'strategies' | 'oracle'>>
  settings(): SettingShape[]
  hosts(): Promise<Host[]>
  robots(origins: string[]): Promise<(RobotsRecord | undefined)[]>
}
