/** Calls that wait for a thread, by priority; within one priority, first come, first served. */
import type { Worker } from 'node:worker_threads'
import type { Call } from './thread-protocol.ts'

/** Lower values are called first. */
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
  /** Puts calls back at the front, in their order. */
  restore(calls: QueuedCall[]): void
  /** Removes the next call whose priority is not above `lowest`. */
  takeNext(lowest: Priority): QueuedCall | undefined
  /** Empties it. */
  takeAll(): QueuedCall[]
}

export function createCallQueue(): CallQueue {
  const queues: QueuedCall[][] = Object.values(PRIORITY).map(() => [])
  return {
    get length() {
      return queues.reduce((sum, { length }) => sum + length, 0)
    },
    push: (call) => void queues[call.priority]!.push(call),
    restore(calls) {
      for (const call of calls.toReversed()) queues[call.priority]!.unshift(call)
    },
    takeNext: (lowest) => queues.find((queue, priority) => priority <= lowest && queue.length > 0)?.shift(),
    takeAll: () => queues.flatMap((queue) => queue.splice(0)),
  }
}
