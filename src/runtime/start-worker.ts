/** Starts a worker thread and waits until it is ready: terminating one while it loads can crash the process. */
import { Worker } from 'node:worker_threads'
import { type FromWorker, receivedError, type WorkerStart } from './thread-protocol.ts'

export interface WorkerOptions extends WorkerStart {
  /** Shown in metrics and messages. */
  name: string
  memoryMb?: number
}

export interface StartedWorker {
  worker: Worker
  /** The method names of each object. */
  targets: Record<string, string[]>
}

const MEMORY_MB = 256
/** Threads produce little garbage at once: a larger young generation only keeps memory. */
const YOUNG_MEMORY_MB = 8

/** Rejects with the error of opening the objects. */
export function startWorker({ name, memoryMb = MEMORY_MB, module, open, data }: WorkerOptions): Promise<StartedWorker> {
  const entry = import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js'
  const workerData: WorkerStart = { module, open, data }
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB }
  const worker = new Worker(new URL(entry, import.meta.url), { name, workerData, resourceLimits })
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      worker.off('error', fail).off('exit', end).off('message', onMessage)
      finish()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const end = (code: number) => fail(new Error(`it ended with code ${code} while it started`))
    const onMessage = (message: FromWorker) => {
      if ('failed' in message) return fail(receivedError(message.failed))
      if ('targets' in message) settle(() => resolve({ worker, targets: message.targets }))
    }
    worker.on('error', fail).on('exit', end).on('message', onMessage)
  })
}
