/** Status of a worker thread, for metrics and health checks. */
import type { Millis } from './time.ts'

export interface ThreadStatus {
  name: string
  isRunning: boolean
  /** Calls waiting or running. */
  queued: number
  /** Over the last minute or two. */
  busyShare: number
  longestCallMs: Millis
  /** Workers that crashed or were stopped for taking too long. */
  crashes: number
}
