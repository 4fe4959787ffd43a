/** How a worker thread is doing, for metrics and health checks. */
import type { Millis } from './time.ts'

export interface ThreadStatus {
  name: string
  isRunning: boolean
  /** Calls that wait or run. */
  queued: number
  /** Of the last minute or two. */
  busyShare: number
  longestCallMs: Millis
  /** Workers that crashed or were stopped for taking too long. */
  crashes: number
}
