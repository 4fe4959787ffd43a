/**
 * The queue for a single process: tasks wait in an array, and a limited number is performed at once, first come first served. Outcomes are
 * applied in batches: those of one turn of the event loop, or of some milliseconds, and those that arrive while a batch is being applied,
 * because a store writes fifty in one transaction almost as fast as one. But outcomes that wait still occupy their hosts' slots: a batch
 * is applied once outcomes for a quarter of the slots are waiting, or once no task is running and somebody waits for that.
 */
import { setMaxListeners } from 'node:events'
import type { Outcome, Task } from '../model/index.ts'
import type { Queue } from '../ports/index.ts'
import { createDrain } from './drain.ts'
import { createWakeableSleep } from './wakeable-sleep.ts'

export interface InProcessQueueOptions {
  /** Maximum number of tasks performed at once. */
  concurrency: number
  /** How long an outcome may wait for others. */
  gatherMs?: number
  /** Wait before a failed batch is retried. */
  retryMs?: number
  /** Receives errors of performers and appliers; the queue continues. */
  onInternalError?: (error: unknown) => void
}

const MAX_BATCH = 500 // so that no transaction blocks others for long
const MAX_ATTEMPTS = 3 // attempts to apply a batch
const RETRY_MS = 1000

export function createInProcessQueue({
  concurrency,
  gatherMs = 0,
  retryMs = RETRY_MS,
  onInternalError = () => {},
}: InProcessQueueOptions): Queue {
  const earlyBatch = Math.ceil(concurrency / 4)
  let perform: ((task: Task, signal: AbortSignal) => Promise<Outcome>) | undefined
  let apply: ((outcomes: Outcome[]) => Promise<void>) | undefined
  let waiting: Task[] = []
  let performing = 0
  const gathered: Outcome[] = []
  let applying = false
  const gathering = createWakeableSleep()
  const retrying = createWakeableSleep()
  let hurried = false
  let closing = false
  const abandon = new AbortController()
  setMaxListeners(0, abandon.signal) // every performer listens
  // Once aborted, performers are not waited for: one that ignores its signal must not keep the queue from closing.
  const drain = createDrain(
    () => waiting.length === 0 && (performing === 0 || abandon.signal.aborted) && gathered.length === 0 && !applying,
  )

  function startTasks(): void {
    while (perform && performing < concurrency && waiting.length > 0) {
      performing++
      void performOne(perform, waiting.shift()!)
    }
  }

  async function performOne(performer: NonNullable<typeof perform>, task: Task): Promise<void> {
    try {
      const outcome = await performer(task, abandon.signal)
      if (!abandon.signal.aborted) gathered.push(outcome)
    } catch (error) {
      if (!abandon.signal.aborted) onInternalError(error)
    }
    performing--
    startTasks()
    if (isEnough()) gathering.wake()
    void applyGathered()
  }

  async function applyGathered(): Promise<void> {
    if (applying) return
    applying = true
    while (apply && gathered.length > 0) {
      await gather()
      await applyBatch(apply, gathered.splice(0, MAX_BATCH))
    }
    applying = false
    drain.check()
  }

  async function applyBatch(applier: NonNullable<typeof apply>, batch: Outcome[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await applier(batch)
      } catch (error) {
        onInternalError(error)
        if (tries === MAX_ATTEMPTS || closing) return
      }
      await retrying.sleep(retryMs)
    }
  }

  function isEnough(): boolean {
    return closing || gathered.length >= earlyBatch || (hurried && performing === 0 && waiting.length === 0)
  }

  async function gather(): Promise<void> {
    if (gatherMs > 0 && !isEnough()) await gathering.sleep(gatherMs)
    await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    async send(tasks) {
      if (closing) throw new Error('the queue is closed')
      for (const task of tasks) waiting.push(task)
      hurried = false
      startTasks()
    },

    collect(applier) {
      if (apply) throw new Error('outcomes are already being collected')
      apply = applier
      void applyGathered()
    },

    serve(performer) {
      if (perform) throw new Error('tasks are already being served')
      perform = performer
      startTasks()
    },

    flushOutcomes() {
      hurried = true
      if (isEnough()) gathering.wake()
    },

    close(signal) {
      closing = true
      waiting = []
      gathering.wake()
      retrying.wake()
      return drain.wait(signal, () => abandon.abort())
    },
  }
}
