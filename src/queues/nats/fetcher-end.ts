/** The fetcher's end of the queue: pulls tasks, performs them with heartbeats, and publishes their outcomes. */
import { setMaxListeners } from 'node:events'
import type { Millis } from '../../model/index.ts'
import type { FetcherQueue, PerformTask } from '../../ports/index.ts'
import { createDrain } from '../drain.ts'
import type { NatsLink } from './connection.ts'
import type { Delivery } from './delivery.ts'
import { queueNames } from './names.ts'
import type { Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { createTaskHeartbeat, type TaskInFlight } from './task-heartbeat.ts'
import { createTaskPull } from './task-pull.ts'
import { createTaskRunner, type IsAwaited } from './task-runner.ts'

export interface WorkParts {
  link: NatsLink
  payloads: Payloads
  time: ServerTime
  queueName: string
  /** Name of this fetcher. */
  processName: string
  /** How many tasks it performs at once. */
  concurrency: number
  ackWaitMs: Millis
  onInternalError: (error: unknown) => void
  /** Absent: all tasks are performed without asking. */
  isAwaited?: IsAwaited | undefined
}

export interface NatsWork extends FetcherQueue {
  /** Number of tasks in progress. */
  load(): number
  /** Pauses or resumes taking tasks. */
  rest(isResting: boolean): void
}

export function createNatsWork(parts: WorkParts): NatsWork {
  const { link, payloads, time, queueName, processName, concurrency, ackWaitMs, onInternalError } = parts
  const { isAwaited = async () => true } = parts
  const names = queueNames(queueName)
  const maxSilenceMs = (ackWaitMs * 2) / 3
  const inFlight = new Set<TaskInFlight>()
  const abandon = new AbortController()
  setMaxListeners(0, abandon.signal)
  let perform: PerformTask | undefined
  let isClosing = false
  const drain = createDrain(() => inFlight.size === 0 || abandon.signal.aborted)
  const heartbeat = createTaskHeartbeat({ link, inFlight, ackWaitMs, maxSilenceMs })
  const runTask = createTaskRunner({
    link,
    payloads,
    time,
    names,
    processName,
    maxSilenceMs,
    maxGapMs: ackWaitMs - maxSilenceMs,
    isLate: heartbeat.isLate,
    isAwaited,
    abandoned: abandon.signal,
    onInternalError,
  })
  const freeSlots = () => concurrency - inFlight.size
  const pull = createTaskPull({ link, names, freeSlots, receive, onInternalError })

  function receive(delivery: Delivery): boolean {
    if (isClosing || !perform || freeSlots() <= 0) {
      delivery.nak()
      return false
    }
    const task: TaskInFlight = { delivery, abort: new AbortController(), until: Number.POSITIVE_INFINITY }
    inFlight.add(task)
    void runTask(task, perform)
      .catch(onInternalError)
      .finally(() => {
        inFlight.delete(task)
        pull.wake()
        drain.check()
      })
    return true
  }

  return {
    serve(performer) {
      if (perform) throw new Error('tasks are already being served')
      perform = performer
      pull.start()
    },
    load: () => inFlight.size,
    rest: pull.rest,
    async close(signal) {
      isClosing = true
      pull.stop()
      await drain.wait(signal, () => abandon.abort())
      heartbeat.close()
      pull.unsubscribe()
    },
  }
}
