/**
 * What the engine room asks for and only the hall can do: look at the web without a store, replay the past, tell what the
 * settings are. A server that is put together without it has an engine room with fewer machines.
 */
import type { BacktestShape, SettingShape } from '../api/index.ts'
import type { Discovery } from '../crawl/index.ts'
import type { Host, Instant, RobotsRecord, WebAddress } from '../model/index.ts'

export interface BacktestRequest {
  strategies: string
  lastDays: number
  now: Instant
  tell: (done: number, of: number) => void
  signal: AbortSignal
}

export interface DashboardServices {
  discover(url: WebAddress, signal: AbortSignal): Promise<Discovery>
  backtest(asked: BacktestRequest): Promise<Pick<BacktestShape, 'feeds' | 'days' | 'today' | 'strategies' | 'oracle'>>
  settings(): SettingShape[]
  hosts(): Promise<Host[]>
  robots(origins: string[]): Promise<(RobotsRecord | undefined)[]>
}
