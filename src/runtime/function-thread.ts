/**
 * A thread that answers questions one after the other with an exported function. It starts with the first question and
 * ends when it has been idle for a while. A question that exceeds the time or memory limit fails and ends the thread;
 * the next question starts a new one.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Millis, SECOND } from '../model/index.ts'

export interface ThreadOptions {
  /** Address of a module that exports the function, which maps a question to its answer; both are copied from thread to thread. */
  module: string
  /** Default: `answerTo`. */
  exportName?: string
  timeoutMs?: Millis
  memoryMb?: number
  /** How long the thread waits for another question before it ends. */
  idleMs?: Millis
}

/** The answer, or why there is none. */
export type ThreadAnswer = { answer: unknown } | { error: string }

export interface Thread {
  /** `transferred` buffers are not copied but detached here; the caller must own them, and every view of them is empty afterwards. */
  ask(question: unknown, transferred?: ArrayBuffer[]): Promise<ThreadAnswer>
  /** Resolves when all questions are answered. */
  close(): Promise<void>
}

const DEFAULT_MEMORY_MB = 256

export function createThread({
  module,
  exportName = 'answerTo',
  timeoutMs = 30 * SECOND,
  memoryMb = DEFAULT_MEMORY_MB,
  idleMs = 30 * SECOND,
}: ThreadOptions): Thread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    const ending = worker
    worker = undefined
    clearTimeout(idle)
    await ending?.terminate()
  }

  async function callNow(question: unknown, transferred: ArrayBuffer[]): Promise<ThreadAnswer> {
    clearTimeout(idle)
    try {
      worker ??= await newWorker({ module, exportName }, memoryMb)
      return { answer: await answerOf(worker, question, transferred, timeoutMs) }
    } catch (error) {
      await end()
      return { error: error instanceof Error ? error.message : String(error) }
    } finally {
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    ask(question, transferred = []) {
      const answer = last.then(() => callNow(question, transferred))
      last = answer
      return answer
    },
    async close() {
      await last
      await end()
    },
  }
}

/**
 * Waits until the worker is ready: time limits start then, and terminating a worker while it loads can crash the
 * process.
 */
async function newWorker(workerData: { module: string; exportName: string }, memoryMb: number): Promise<Worker> {
  const entry = import.meta.url.endsWith('.ts') ? './function-thread-entry.ts' : './thread-entry.js'
  const worker = new Worker(new URL(entry, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  await once(worker, 'message')
  worker.unref()
  return worker
}

/** Rejects if the thread ends instead. */
function answerOf(worker: Worker, question: unknown, transferred: ArrayBuffer[], timeoutMs: Millis): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      clearTimeout(timer)
      worker.off('message', receive).off('error', fail).off('exit', fail)
      finish()
    }
    const receive = (answer: unknown) => settle(() => resolve(answer))()
    const fail = (error: unknown) => settle(() => reject(error))()
    const timer = setTimeout(() => fail(`it took more than ${timeoutMs / SECOND} s`), timeoutMs)
    worker.on('message', receive).on('error', fail).on('exit', fail)
    worker.postMessage(question, transferred)
  })
}
