/**
 * Calls into a worker thread. The worker starts with the first call and ends after `idleMs` without calls, if set.
 *
 *     call() -> queue by priority -> sent (at most MAX_IN_FLIGHT) -> settled by its reply
 *
 * Calls wait in the client, not in the worker, so urgent calls overtake queued ones; background calls are sent one at
 * a time. The queue is bounded: beyond `maxQueued`, calls are rejected at once. Calls made in one turn of the event
 * loop share a message.
 *
 * A worker that crashes, runs out of memory or exceeds `callTimeoutMs` in one call is replaced. The running call
 * fails. Other sent calls are sent again if calls only read (`resend`); otherwise they fail too, because they may have
 * taken effect. After MAX_CRASHES in a minute, calls fail at once for `cooldownMs`; then a worker is started again.
 */
import type { Worker } from 'node:worker_threads'
import { HintedError, MINUTE, type Millis, SECOND, type ThreadStatus } from '../model/index.ts'
import { createCallQueue, PRIORITY, type Priority, type QueuedCall } from './call-queue.ts'
import { createRunningWorker } from './running-worker.ts'
import type { WorkerOptions } from './start-worker.ts'
import { createThreadLoad } from './thread-load.ts'
import {
  type Call,
  type CallReply,
  type FromWorker,
  receivedError,
  STREAM_TARGET,
  type StreamChunk,
} from './thread-protocol.ts'

export interface ThreadClientOptions extends WorkerOptions {
  maxQueued?: number
  callTimeoutMs?: Millis
  idleMs?: Millis
  /** Calls only read: calls interrupted by a crash are sent again. */
  resend?: boolean
  /** How long calls fail at once after too many crashes. Default: ten seconds. */
  cooldownMs?: Millis
  /** Made on `close`, before the worker ends. */
  lastCall?: { target: string; method: string }
  failed: (failure: ThreadFailure) => Error
}

export interface ThreadFailure {
  kind: 'busy' | 'crashed' | 'timed-out' | 'broken' | 'closed'
  /** For display. */
  detail: string
}

export interface ThreadClient {
  call(target: string, method: string, args: unknown[], priority?: Priority): Promise<unknown>
  /** For methods that return an AsyncIterable, which is pulled in chunks. */
  stream(target: string, method: string, args: unknown[], priority?: Priority): AsyncGenerator<unknown>
  /** Starts the worker and returns the method names of its objects. Rejects with the error of opening them. */
  start(): Promise<Record<string, string[]>>
  status(): ThreadStatus
  /** Resolves once all calls are settled; later calls are rejected. */
  close(): Promise<void>
}

const MAX_IN_FLIGHT = 32
const MAX_QUEUED = 10_000
const MAX_CRASHES = 5
const REST_MS: Millis = 10 * SECOND

export function createThreadClient(options: ThreadClientOptions): ThreadClient {
  const { name, maxQueued = MAX_QUEUED, failed } = options
  const thread = createWorkerCalls(options)
  let lastId = 0
  let openStreams = 0
  let isClosed = false

  function send(call: Omit<Call, 'id'>, priority: Priority, worker?: Worker): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(failed({ kind: 'closed', detail: `the ${name} thread is closed` }))
      if (thread.queued() >= maxQueued) {
        return reject(failed({ kind: 'busy', detail: `${maxQueued} calls wait for the ${name} thread` }))
      }
      thread.add({ call: { id: ++lastId, ...call }, priority, worker, resolve, reject })
    })
  }

  return {
    call: (target, method, args, priority = PRIORITY.normal) => send({ target, method, args }, priority),

    async *stream(target, method, args, priority = PRIORITY.normal) {
      thread.hold(++openStreams)
      let pulled: { stream: unknown; from: Worker } | undefined
      try {
        const from = await thread.worker()
        const stream = await send({ target, method, args }, priority, from)
        pulled = { stream, from }
        for (let isDone = false; !isDone; ) {
          const chunk = (await send(
            { target: STREAM_TARGET, method: 'next', args: [stream] },
            priority,
            from,
          )) as StreamChunk
          isDone = chunk.done
          if (isDone) pulled = undefined
          yield* chunk.values
        }
      } finally {
        const { stream, from } = pulled ?? {}
        const end = { target: STREAM_TARGET, method: 'end', args: [stream] }
        if (from) await send(end, PRIORITY.normal, from).catch(() => {}) // the stream ended with its worker
        thread.hold(--openStreams)
      }
    },

    start: () => thread.start(),
    status: () => ({ name, ...thread.status() }),

    async close() {
      if (isClosed) return
      isClosed = true
      await thread.whenIdle()
      const { lastCall } = options
      try {
        if (lastCall)
          await new Promise((resolve, reject) => {
            const call = { id: ++lastId, ...lastCall, args: [] }
            thread.add({ call, priority: PRIORITY.background, resolve, reject })
          })
      } finally {
        await thread.stop()
      }
    },
  }
}

/** The worker of a client, its queued calls and its sent calls. */
function createWorkerCalls(options: ThreadClientOptions) {
  const { name, callTimeoutMs, resend = false, cooldownMs = REST_MS, failed } = options
  const queue = createCallQueue()
  const load = createThreadLoad()
  /** In the order sent: the first one is running. */
  const sent = new Map<number, QueuedCall>()
  const crashes = createCrashLimit(name, cooldownMs, failed)
  const running = createRunningWorker(options, {
    started: flush,
    received,
    crashed: (detail) => replace({ kind: 'crashed', detail }),
    timedOut() {
      if (sent.size === 0) return
      replace({ kind: 'timed-out', detail: `a call took the ${name} thread more than ${callTimeoutMs! / SECOND} s` })
    },
  })
  let isFlushing = false
  let hasOpenStreams = false
  let resolveIdle: (() => void) | undefined

  const queued = () => queue.length + sent.size

  function add(call: QueuedCall): void {
    const refusal = crashes.refusal()
    if (refusal) call.reject(refusal)
    else {
      queue.push(call)
      flushSoon()
    }
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    queueMicrotask(flush)
  }

  function flush(): void {
    isFlushing = false
    const worker = running.current()
    if (queue.length > 0 && !worker) return void start().catch(failAll)
    const batch: QueuedCall[] = []
    let isInBackground = [...sent.values()].some(({ priority }) => priority === PRIORITY.background)
    while (sent.size < MAX_IN_FLIGHT) {
      const next = queue.takeNext(isInBackground ? PRIORITY.normal : PRIORITY.background)
      if (!next) break
      if (next.worker && next.worker !== worker) {
        next.reject(failed({ kind: 'crashed', detail: `the ${name} thread was restarted` }))
        continue
      }
      if (sent.size === 0) running.wake()
      sent.set(next.call.id, next)
      batch.push(next)
      isInBackground ||= next.priority === PRIORITY.background
    }
    if (batch.length > 0) post(batch)
    if (sent.size === 0) pauseIfIdle()
  }

  function post(batch: QueuedCall[]): void {
    try {
      running.post({ calls: batch.map(({ call }) => call) })
    } catch (error) {
      // One call cannot be cloned, which is a bug in its caller: the others must not fail for it.
      const [{ call, reject } = batch[0]!, ...remaining] = batch
      if (remaining.length > 0) for (const item of batch) post([item])
      else {
        sent.delete(call.id)
        reject(error as Error)
        flushSoon()
      }
    }
  }

  function pauseIfIdle(): void {
    running.rest(queued() === 0 && !hasOpenStreams)
    if (queued() === 0) resolveIdle?.()
  }

  function received(message: FromWorker): void {
    if (!('replies' in message)) return
    message.replies.forEach(settle)
    running.restartTimeout()
    flush()
  }

  function settle(reply: CallReply): void {
    const call = sent.get(reply.id)
    if (!call) return
    sent.delete(reply.id)
    load.count(reply.tookMs)
    if ('error' in reply) call.reject(receivedError(reply.error))
    else call.resolve(reply.value)
  }

  /** Replaces a worker that has ended or must end. */
  function replace(failure: ThreadFailure): void {
    void running.stop()
    const refusal = crashes.add(failure.detail)
    const [interrupted, ...waiting] = [...sent.values()]
    sent.clear()
    interrupted?.reject(failed(failure))
    const resent = waiting.filter((call) => resend && !call.worker)
    for (const call of waiting) if (!resent.includes(call)) call.reject(failed(failure))
    queue.restore(resent)
    if (refusal) failAll(refusal)
    pauseIfIdle()
    if (queue.length > 0) flushSoon()
  }

  function failAll(error: Error): void {
    for (const call of queue.takeAll()) call.reject(error)
    pauseIfIdle()
  }

  function start(): Promise<Record<string, string[]>> {
    return running.start().catch((error) => {
      throw startError(error, options)
    })
  }

  return {
    add,
    start,
    stop: running.stop,
    queued,
    /** The running worker, or a new one. */
    async worker(): Promise<Worker> {
      for (;;) {
        const worker = running.current()
        if (worker) return worker
        await start()
      }
    },
    /** Keeps an idle worker alive while streams are open. */
    hold(streams: number): void {
      hasOpenStreams = streams > 0
      if (queued() === 0) pauseIfIdle()
    },
    whenIdle: () => (queued() === 0 ? undefined : new Promise<void>((resolve) => (resolveIdle = resolve))),
    status: () => ({
      isRunning: running.current() !== undefined,
      queued: queued(),
      ...load.read(),
      crashes: crashes.all(),
    }),
  }
}

function startError(error: Error, { name, failed }: ThreadClientOptions): Error {
  return error instanceof HintedError ? error : failed({ kind: 'crashed', detail: `${name} thread: ${error.message}` })
}

/** After too many crashes, calls are refused for `cooldownMs`. */
function createCrashLimit(name: string, cooldownMs: Millis, failed: ThreadClientOptions['failed']) {
  let total = 0
  let recent: number[] = []
  let refusal: { error: Error; until: Millis } | undefined
  return {
    all: () => total,
    refusal: () => (refusal && performance.now() < refusal.until ? refusal.error : undefined),
    /** Returns the error with which calls are refused, if there were too many crashes within the last minute. */
    add(detail: string): Error | undefined {
      const now = performance.now()
      total++
      recent = [...recent.filter((at) => now - at < MINUTE), now]
      if (recent.length < MAX_CRASHES) return undefined
      const error = failed({ kind: 'broken', detail: `the ${name} thread crashed ${MAX_CRASHES} times: ${detail}` })
      refusal = { error, until: now + cooldownMs }
      return error
    },
  }
}
