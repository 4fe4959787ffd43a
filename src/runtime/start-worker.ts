/** Starts a worker thread and waits until it can answer: to terminate one while it loads can take the process with it. */
import { Worker } from 'node:worker_threads'
import { type FromWorker, receivedError, type WorkerStart } from './thread-protocol.ts'

export interface WorkerOptions extends WorkerStart {
  /** In metrics and messages. */
  name: string
  memoryMb?: number
}

export interface StartedWorker {
  worker: Worker
  /** The methods of each of its objects. */
  targets: Record<string, string[]>
}

const MEMORY_MB = 256
/** Threads make little garbage at once: more only keeps memory. */
const YOUNG_MEMORY_MB = 8

/** Throws what opening its objects threw. */
export function startWorker({ name, memoryMb = MEMORY_MB, module, open, data }: WorkerOptions): Promise<StartedWorker> {
  const entry = import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js'
  const workerData: WorkerStart = { module, open, data }
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB }
  const worker = new Worker(new URL(entry, import.meta.url), { name, workerData, resourceLimits })
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      worker.off('error', fail).off('exit', end).off('message', hear)
      then()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const end = (code: number) => fail(new Error(`it ended with code ${code} while it started`))
    const hear = (message: FromWorker) => {
      if ('failed' in message) return fail(receivedError(message.failed))
      if ('targets' in message) settle(() => resolve({ worker, targets: message.targets }))
    }
    worker.on('error', fail).on('exit', end).on('message', hear)
  })
}
