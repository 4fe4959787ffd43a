/**
 * Calls into a worker thread. The worker starts with the first call, and ends when it has been idle for `idleMs`, if that is given.
 *
 *   call() -> queue by priority -> sent (at most SENT_AT_ONCE) -> settled by its reply
 *
 * Calls wait here and not in the worker, so that an urgent one overtakes what is only queued. The queue is bounded: past `maxQueued` a
 * call is refused at once. Calls made in one turn of the event loop go in one message.
 *
 * A worker that crashes, runs out of memory, or takes longer than `callTimeoutMs` for one call, is replaced. The call that it was
 * running fails. Others that were sent are sent again where calls only read (`resend`); else they fail, too, because they may have
 * taken effect. After MOST_CRASHES in a minute every call fails for good.
 */
import type { EventLoopUtilization } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { MINUTE, type Millis, SECOND } from '../model/index.ts'
import {
  type Call,
  type FromWorker,
  type Reply,
  receivedError,
  STREAMS,
  type StreamChunk,
  type ToWorker,
  type WorkerStart,
} from './thread-protocol.ts'

export interface ThreadOptions extends WorkerStart {
  /** In metrics and messages. */
  name: string
  memoryMb?: number
  maxQueued?: number
  callTimeoutMs?: Millis
  idleMs?: Millis
  /** Calls only read: those that a crash interrupts are sent again. */
  resend?: boolean
  failed: (failure: ThreadFailure) => Error
}

export interface ThreadFailure {
  kind: 'busy' | 'crashed' | 'timed-out' | 'broken' | 'closed'
  /** For people. */
  detail: string
}

export interface CallOptions {
  /** PRIORITY.normal unless given. */
  priority?: number
  /** Buffers to move instead of copying. The caller must own them: every view of them is empty afterwards. */
  transfer?: ArrayBuffer[]
}

/** The lower, the sooner. */
export const PRIORITY = { urgent: 0, normal: 1, background: 2 } as const

export interface ThreadStatus {
  name: string
  /** Calls that wait or run. */
  queued: number
  /** Of the time since this was last asked. */
  busyShare: number
  /** Since it was last asked, of those that ended. */
  longestCallMs: Millis
  /** Workers that crashed or were stopped for taking too long. */
  crashes: number
}

export interface ThreadClient {
  call(target: string, method: string, args: unknown[], options?: CallOptions): Promise<unknown>
  /** For methods that answer an AsyncIterable, which is pulled in chunks. */
  stream(target: string, method: string, args: unknown[], options?: CallOptions): AsyncGenerator<unknown>
  /** Starts the worker and answers the methods of its objects; throws what opening them threw. */
  start(): Promise<Record<string, string[]>>
  status(): ThreadStatus
  /** Once all calls are settled. */
  close(): Promise<void>
}

interface Pending {
  call: Call
  transfer: ArrayBuffer[]
  /** Only this worker can answer it. */
  worker?: Worker | undefined
  resolve(value: unknown): void
  reject(error: Error): void
}

const SENT_AT_ONCE = 32
const MOST_QUEUED = 10_000
const MEMORY_MB = 256
const MOST_CRASHES = 5
const PRIORITIES = 3
const CHECKED_EVERY_MS: Millis = SECOND

export function createThreadClient(options: ThreadOptions): ThreadClient {
  const { name, maxQueued = MOST_QUEUED, callTimeoutMs, idleMs, resend = false, failed } = options
  const queues: Pending[][] = Array.from({ length: PRIORITIES }, () => [])
  /** In the order in which they were sent: the first is running. */
  const sent = new Map<number, Pending>()
  let lastId = 0
  let worker: Worker | undefined
  let started: Promise<Record<string, string[]>> | undefined
  let isReady = false
  let isFlushing = false
  let openStreams = 0
  let runsSince = 0
  let crashedAt: number[] = []
  let crashes = 0
  let longestCallMs = 0
  let broken: Error | undefined
  let isClosed = false
  let whenIdle: (() => void) | undefined
  let watch: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined
  let lastUse: EventLoopUtilization | undefined

  const queued = () => queues.reduce((sum, { length }) => sum + length, sent.size)

  function enqueue(pending: Pending, priority: number): void {
    if (isClosed) return pending.reject(failed({ kind: 'closed', detail: `the ${name} thread is closed` }))
    if (broken) return pending.reject(broken)
    if (queued() >= maxQueued) {
      return pending.reject(failed({ kind: 'busy', detail: `${maxQueued} calls wait for the ${name} thread` }))
    }
    queues[priority]!.push(pending)
    flushSoon()
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    queueMicrotask(flush)
  }

  function flush(): void {
    isFlushing = false
    if (!isReady) return void start().catch(failAll)
    const batch: Pending[] = []
    while (sent.size < SENT_AT_ONCE) {
      const next = queues.find(({ length }) => length > 0)?.shift()
      if (!next) break
      if (next.worker && next.worker !== worker) {
        next.reject(failed({ kind: 'crashed', detail: `the ${name} thread was restarted` }))
        continue
      }
      if (sent.size === 0) busy()
      sent.set(next.call.id, next)
      batch.push(next)
    }
    if (batch.length > 0) post(batch)
    if (sent.size === 0) rest()
  }

  function post(batch: Pending[]): void {
    const transfer = batch.flatMap(({ transfer }) => transfer)
    try {
      worker!.postMessage({ calls: batch.map(({ call }) => call) } satisfies ToWorker, transfer)
    } catch (error) {
      // One of them cannot be cloned: our mistake, for which the others do not fail.
      if (batch.length > 1) return batch.forEach((one) => post([one]))
      for (const { call, reject } of batch) {
        sent.delete(call.id)
        reject(error as Error)
      }
      flushSoon()
    }
  }

  function busy(): void {
    worker!.ref()
    clearTimeout(idle)
    runsSince = performance.now()
    if (callTimeoutMs === undefined) return
    watch ??= setInterval(checkTime, Math.min(CHECKED_EVERY_MS, callTimeoutMs / 2)).unref()
  }

  function rest(): void {
    worker?.unref()
    clearInterval(watch)
    watch = undefined
    if (queued() > 0 || openStreams > 0) return
    whenIdle?.()
    clearTimeout(idle)
    if (idleMs !== undefined) idle = setTimeout(() => void stop(), idleMs).unref()
  }

  function checkTime(): void {
    if (sent.size === 0 || performance.now() - runsSince < callTimeoutMs!) return
    replace({ kind: 'timed-out', detail: `it took more than ${callTimeoutMs! / SECOND} s` })
  }

  function settle(reply: Reply): void {
    const pending = sent.get(reply.id)
    if (!pending) return
    sent.delete(reply.id)
    longestCallMs = Math.max(longestCallMs, reply.tookMs)
    if ('error' in reply) pending.reject(receivedError(reply.error))
    else pending.resolve(reply.value)
  }

  /** The worker is gone, or is to go. */
  function replace(failure: ThreadFailure): void {
    const old = worker
    worker = undefined
    started = undefined
    isReady = false
    crashes++
    const now = performance.now()
    crashedAt = [...crashedAt.filter((at) => now - at < MINUTE), now]
    old?.removeAllListeners()
    old?.on('error', () => {}) // it may still say so while it ends
    void old?.terminate()
    const [running, ...others] = [...sent.values()]
    sent.clear()
    running?.reject(failed(failure))
    const again = others.filter((one) => resend && !one.worker && one.transfer.length === 0)
    for (const one of others) if (!again.includes(one)) one.reject(failed(failure))
    queues[PRIORITY.urgent]!.unshift(...again)
    if (crashedAt.length >= MOST_CRASHES) {
      broken = failed({ kind: 'broken', detail: `the ${name} thread crashed ${MOST_CRASHES} times: ${failure.detail}` })
      failAll(broken)
    }
    rest()
    if (queued() > 0) flushSoon()
  }

  function failAll(error: Error): void {
    for (const one of queues.flat()) one.reject(error)
    for (const queue of queues) queue.length = 0
    rest()
  }

  function start(): Promise<Record<string, string[]>> {
    started ??= launch(options).then(
      ({ worker: launched, targets }) => {
        worker = launched
        isReady = true
        launched.on('message', (message: FromWorker) => {
          if (!('replies' in message)) return
          message.replies.forEach(settle)
          runsSince = performance.now()
          flush()
        })
        launched.on('error', (error) => replace({ kind: 'crashed', detail: error.message }))
        launched.on('exit', (code) => replace({ kind: 'crashed', detail: `it exited with code ${code}` }))
        flush()
        return targets
      },
      (error) => {
        started = undefined
        throw error
      },
    )
    return started
  }

  async function stop(): Promise<void> {
    const old = worker
    worker = undefined
    started = undefined
    isReady = false
    old?.removeAllListeners()
    await old?.terminate()
  }

  function send(call: Omit<Call, 'id'>, { priority = PRIORITY.normal, transfer = [] }: CallOptions, of?: Worker) {
    return new Promise((resolve, reject) => {
      const id = ++lastId
      enqueue({ call: { id, ...call }, transfer, worker: of, resolve, reject }, priority)
    })
  }

  return {
    call: (target, method, args, options = {}) => send({ target, method, args }, options),

    async *stream(target, method, args, options = {}) {
      openStreams++
      let pull: { stream: unknown; of: Worker } | undefined
      try {
        await start()
        const of = worker!
        const stream = await send({ target, method, args }, options, of)
        pull = { stream, of }
        for (let isDone = false; !isDone; ) {
          const chunk = (await send({ target: STREAMS, method: 'next', args: [stream] }, options, of)) as StreamChunk
          isDone = chunk.done
          if (isDone) pull = undefined
          yield* chunk.values
        }
      } finally {
        openStreams--
        if (pull && pull.of === worker) await send({ target: STREAMS, method: 'end', args: [pull.stream] }, {}, pull.of)
        if (queued() === 0) rest()
      }
    },

    start,

    status() {
      const { utilization } = worker?.performance.eventLoopUtilization(lastUse) ?? { utilization: 0 }
      lastUse = worker?.performance.eventLoopUtilization()
      const status = { name, queued: queued(), busyShare: utilization, longestCallMs, crashes }
      longestCallMs = 0
      return status
    },

    async close() {
      isClosed = true
      clearTimeout(idle)
      if (queued() > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
      clearTimeout(idle)
      clearInterval(watch)
      await stop()
    },
  }
}

interface Launched {
  worker: Worker
  targets: Record<string, string[]>
}

/** Waits until it can answer: to terminate a worker while it loads can take the process with it. */
function launch({ name, module, open, data, memoryMb = MEMORY_MB }: ThreadOptions): Promise<Launched> {
  const entry = import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js'
  const workerData: WorkerStart = { module, open, data }
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb }
  const worker = new Worker(new URL(entry, import.meta.url), { name, workerData, resourceLimits })
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      worker.removeAllListeners()
      reject(error)
    }
    worker.once('error', fail)
    worker.once('exit', (code) => fail(new Error(`the ${name} thread ended with code ${code} while it started`)))
    worker.once('message', (message: FromWorker) => {
      if ('failed' in message) return fail(receivedError(message.failed))
      worker.removeAllListeners()
      if ('targets' in message) resolve({ worker, targets: message.targets })
    })
  })
}
