/**
 * A thread that answers questions, one after the other, with a function that some module exports. It begins with the
 * first question and ends when none has come for a while. A question on which it runs out of time or memory is given up,
 * and costs the thread; the next one gets another.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Millis, SECOND } from '../model/index.ts'

export interface ThreadOptions {
  /** Address of a module that exports `answers`, from a question to its answer; both are copied from thread to thread. */
  module: string
  /** `answerTo` unless told. */
  answers?: string
  patienceMs?: Millis
  memoryMb?: number
  /** So long it waits for another question. */
  idleMs?: Millis
}

/** Or why there is no answer. */
export type Told = { answer: unknown } | { gaveUp: string }

export interface Thread {
  /** `transferred` buffers are not copied but detached here; the caller must own them, and every view of them is empty afterwards. */
  ask(question: unknown, transferred?: ArrayBuffer[]): Promise<Told>
  /** When all that was asked is answered. */
  close(): Promise<void>
}

const MOST_MEMORY_MB = 256

export function createThread({
  module,
  answers = 'answerTo',
  patienceMs = 30 * SECOND,
  memoryMb = MOST_MEMORY_MB,
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

  async function askNow(question: unknown, transferred: ArrayBuffer[]): Promise<Told> {
    clearTimeout(idle)
    try {
      worker ??= await newWorker({ module, answers }, memoryMb)
      return { answer: await answerOf(worker, question, transferred, patienceMs) }
    } catch (error) {
      await end()
      return { gaveUp: error instanceof Error ? error.message : String(error) }
    } finally {
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    ask(question, transferred = []) {
      const told = last.then(() => askNow(question, transferred))
      last = told
      return told
    },
    async close() {
      await last
      await end()
    },
  }
}

/** Ready to answer: its time begins then, and to end a thread while it is being loaded can take the process with it. */
async function newWorker(workerData: { module: string; answers: string }, memoryMb: number): Promise<Worker> {
  const entry = import.meta.url.endsWith('.ts') ? './function-thread-entry.ts' : './thread-entry.js'
  const worker = new Worker(new URL(entry, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  await once(worker, 'message')
  worker.unref()
  return worker
}

/** Throws if the thread ends instead. */
function answerOf(worker: Worker, question: unknown, transferred: ArrayBuffer[], patienceMs: Millis): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => () => {
      clearTimeout(late)
      worker.off('message', take).off('error', fail).off('exit', fail)
      how()
    }
    const take = (answer: unknown) => settle(() => resolve(answer))()
    const fail = (error: unknown) => settle(() => reject(error))()
    const late = setTimeout(() => fail(`it took more than ${patienceMs / SECOND} s`), patienceMs)
    worker.on('message', take).on('error', fail).on('exit', fail)
    worker.postMessage(question, transferred)
  })
}
