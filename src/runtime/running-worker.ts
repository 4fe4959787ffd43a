/**
 * The running worker of a thread client, if any. It is started when it is needed, ended when it has been idle for `idleMs`, and reported
 * when it crashes or one call takes longer than `callTimeoutMs`.
 */
import type { Worker } from 'node:worker_threads'
import { type Millis, SECOND } from '../model/index.ts'
import { startWorker, type WorkerOptions } from './start-worker.ts'
import type { FromWorker, ToWorker } from './thread-protocol.ts'

export interface RunningWorkerOptions extends WorkerOptions {
  callTimeoutMs?: Millis | undefined
  idleMs?: Millis | undefined
}

export interface WorkerEvents {
  started(): void
  received(message: FromWorker): void
  crashed(detail: string): void
  timedOut(): void
}

export interface RunningWorker {
  current(): Worker | undefined
  /** Starts the worker unless it is started, and returns the method names of its objects. */
  start(): Promise<Record<string, string[]>>
  stop(): Promise<void>
  post(message: ToWorker): void
  /** The first call has been sent to an idle worker. */
  wake(): void
  /** The next call begins to run. */
  restartTimeout(): void
  /** No call is sent: the process may end. An idle worker is ended unless it is needed again soon. */
  rest(isIdle: boolean): void
}

const CHECK_INTERVAL_MS: Millis = SECOND

export function createRunningWorker(options: RunningWorkerOptions, events: WorkerEvents): RunningWorker {
  const { callTimeoutMs, idleMs } = options
  let worker: Worker | undefined
  let started: Promise<Record<string, string[]>> | undefined
  let runsSince = 0
  let watch: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined

  async function stop(): Promise<void> {
    const stopped = worker
    worker = undefined
    started = undefined
    clearTimeout(idle)
    await stopped?.terminate()
  }

  function checkTime(): void {
    if (performance.now() - runsSince >= callTimeoutMs!) events.timedOut()
  }

  return {
    current: () => worker,
    stop,

    start() {
      started ??= startWorker(options).then(
        ({ worker: launched, targets }) => {
          worker = launched
          const crashed = (detail: string) => {
            if (launched === worker) events.crashed(detail)
          }
          launched.on('error', (error) => crashed(error.message))
          launched.on('exit', (code) => crashed(`the ${options.name} thread ended with code ${code}`))
          launched.on('message', (message: FromWorker) => {
            if (launched === worker) events.received(message)
          })
          events.started()
          return targets
        },
        (error) => {
          started = undefined
          throw error
        },
      )
      return started
    },

    post: (message) => worker!.postMessage(message),

    wake() {
      worker!.ref()
      clearTimeout(idle)
      runsSince = performance.now()
      if (callTimeoutMs === undefined) return
      watch ??= setInterval(checkTime, Math.min(CHECK_INTERVAL_MS, callTimeoutMs / 2)).unref()
    },

    restartTimeout() {
      runsSince = performance.now()
    },

    rest(isIdle) {
      worker?.unref()
      clearInterval(watch)
      watch = undefined
      clearTimeout(idle)
      if (isIdle && idleMs !== undefined && worker) idle = setTimeout(() => void stop(), idleMs).unref()
    },
  }
}
