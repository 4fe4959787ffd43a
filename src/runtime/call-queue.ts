/** Calls that wait for a thread, by priority; within one priority, first come, first served. */
import type { Worker } from 'node:worker_threads'
import type { Call } from './thread-protocol.ts'

/** The lower, the sooner. */
export const PRIORITY = { results: 0, leases: 1, normal: 2, background: 3 } as const

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY]

export interface QueuedCall {
  call: Call
  priority: Priority
  /** Only this worker can answer it. */
  worker?: Worker | undefined
  resolve(value: unknown): void
  reject(error: Error): void
}

export interface CallQueue {
  readonly length: number
  push(call: QueuedCall): void
  /** Puts calls that were taken back in front, in their order. */
  restore(calls: QueuedCall[]): void
  /** The next one whose priority is not above `lowest`. */
  take(lowest: Priority): QueuedCall | undefined
  /** Empties it. */
  takeAll(): QueuedCall[]
}

export function createCallQueue(): CallQueue {
  const lines: QueuedCall[][] = Object.values(PRIORITY).map(() => [])
  return {
    get length() {
      return lines.reduce((sum, { length }) => sum + length, 0)
    },
    push: (call) => void lines[call.priority]!.push(call),
    restore(calls) {
      for (const call of calls.toReversed()) lines[call.priority]!.unshift(call)
    },
    take: (lowest) => lines.find((line, priority) => priority <= lowest && line.length > 0)?.shift(),
    takeAll: () => lines.flatMap((line) => line.splice(0)),
  }
}
