/**
 * Serves calls of a thread client. Calls run one after the other in the order they were sent, so code that uses a
 * database connection needs no locks.
 *
 * Replies are collected for up to a millisecond: many short calls cost one message, and a short call does not wait for
 * a long one.
 */
import type { MessagePort } from 'node:worker_threads'
import {
  type Call,
  type CallReply,
  type FromWorker,
  STREAM_TARGET,
  type StreamChunk,
  sendableError,
  type ToWorker,
} from './thread-protocol.ts'

const GATHER_MS = 1
const STREAMED_AT_ONCE = 100

type Method = (...args: unknown[]) => unknown

export function serveCalls(port: MessagePort, targets: Record<string, object>): void {
  const streams = createStreams()
  const objects = { ...targets, [STREAM_TARGET]: streams.target } as Record<string, Record<string, Method>>
  const waiting: Call[] = []
  let replies: CallReply[] = []
  let isRunning = false

  function flush(): void {
    if (replies.length > 0) port.postMessage({ replies } satisfies FromWorker)
    replies = []
  }

  async function perform({ id, target, method, args }: Call): Promise<CallReply> {
    const startedAt = performance.now()
    try {
      const value = streams.register(await objects[target]![method]!(...args))
      return { id, value, tookMs: performance.now() - startedAt }
    } catch (error) {
      return { id, error: sendableError(error), tookMs: performance.now() - startedAt }
    }
  }

  async function run(): Promise<void> {
    isRunning = true
    let flushedAt = performance.now()
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      replies.push(await perform(call))
      if (performance.now() - flushedAt < GATHER_MS) continue
      flush()
      flushedAt = performance.now()
    }
    flush()
    isRunning = false
  }

  port.on('message', ({ calls }: ToWorker) => {
    waiting.push(...calls)
    if (!isRunning) void run()
  })
}

/** Open streams, which the client pulls chunk by chunk. */
function createStreams() {
  const open = new Map<number, AsyncIterator<unknown>>()
  let lastStream = 0
  return {
    /** The value itself, or the stream's number. */
    register(value: unknown): unknown {
      if (!isStream(value)) return value
      open.set(++lastStream, value[Symbol.asyncIterator]())
      return lastStream
    },
    target: {
      async next(stream: number): Promise<StreamChunk> {
        const iterator = open.get(stream)
        const values: unknown[] = []
        while (iterator && values.length < STREAMED_AT_ONCE) {
          const { done, value } = await iterator.next()
          if (!done) values.push(value)
          else open.delete(stream)
          if (done) return { values, done: true }
        }
        return { values, done: !iterator }
      },
      async end(stream: number): Promise<void> {
        const iterator = open.get(stream)
        open.delete(stream)
        await iterator?.return?.()
      },
    } as unknown as Record<string, Method>,
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
