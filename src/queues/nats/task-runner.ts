/**
 * Performs a delivered task and publishes its outcome. The task is acknowledged once the outcome is stored in its stream.
 *
 * A task may be delivered twice: after a crash of the server, if our acknowledgement was lost, or if another fetcher stopped responding. And
 * a suspended controller may send tasks of buckets it no longer owns. So before performing a task that was redelivered, is some seconds
 * old, or is older than our connection, the fetcher asks the owner of its bucket whether it still waits for the task; while there is no
 * owner, the task waits. A redelivered task is dropped if its host needs a longer gap than the third of the ack wait that is left.
 */
import type { Millis, Outcome, Task } from '../../model/index.ts'
import { CONFIRM_AFTER_MS, type PerformTask } from '../../ports/index.ts'
import { outcomeToJson } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import type { Delivery } from './delivery.ts'
import type { QueueNames } from './names.ts'
import { pause } from './pause.ts'
import { DamagedPayload, LATER_VERSION_RETRY_MS, LaterPayload, type Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { monotonicNow, type TaskInFlight } from './task-heartbeat.ts'
import { isTask } from './validate.ts'

/** Whether the sender still waits for the task; undefined if unknown at the moment. */
export type IsAwaited = (task: Task) => Promise<boolean | undefined>

export interface TaskRunnerParts {
  link: NatsLink
  payloads: Payloads
  time: ServerTime
  names: QueueNames
  processName: string
  /** How long a disconnected fetcher may continue. */
  maxSilenceMs: Millis
  /** The longest gap between requests for which a redelivered task may be performed. */
  maxGapMs: Millis
  isLate: (task: TaskInFlight) => boolean
  isAwaited: IsAwaited
  /** Aborted when the queue closes without waiting any longer. */
  abandoned: AbortSignal
  onInternalError: (error: unknown) => void
}

const RETRY_MS: Millis = 250

export function createTaskRunner(
  parts: TaskRunnerParts,
): (inFlight: TaskInFlight, perform: PerformTask) => Promise<void> {
  const { link, payloads, time, names, processName, maxSilenceMs, maxGapMs, abandoned, onInternalError } = parts
  const js = link.modules.jetstream.jetstream(link.nc)
  let connectedAt = time.now()
  let reconnects = 0
  link.onReconnect(() => {
    connectedAt = time.now()
    reconnects++
  })

  async function run(inFlight: TaskInFlight, perform: PerformTask): Promise<void> {
    const { delivery, abort } = inFlight
    const task = await readTask(delivery)
    if (!task) return
    const sentAt = Math.min(task.departedAt ?? Number.POSITIVE_INFINITY, delivery.storedAt)
    const ageMs = Math.max(0, time.now() - sentAt)
    const leftMs = (task.goodForMs ?? Number.POSITIVE_INFINITY) - ageMs
    inFlight.until = monotonicNow() + leftMs
    if (task.isRecalled) return returnUnsent(task, inFlight)
    const isRedelivered = delivery.count > 1
    if (leftMs <= 0 || (isRedelivered && 'gapMs' in task && task.gapMs > maxGapMs)) return delivery.term()
    const isBeforeConnection = delivery.storedAt < connectedAt
    if (isRedelivered || ageMs > CONFIRM_AFTER_MS || isBeforeConnection) {
      // Another fetcher may have had it before we reconnected: after this pause it has stopped, or published the outcome.
      if (reconnects > 0 && isBeforeConnection) await pause(maxSilenceMs)
      if (!(await isStillAwaited(task, inFlight))) return delivery.term()
    }
    const outcome = await performed(task, inFlight, perform)
    if (!outcome || abort.signal.aborted) return
    await publish(outcome, inFlight)
    delivery.ack()
  }

  async function performed(task: Task, inFlight: TaskInFlight, perform: PerformTask): Promise<Outcome | undefined> {
    const { delivery, abort } = inFlight
    const isLate = () => parts.isLate(inFlight)
    const stop = () => abort.abort()
    abandoned.addEventListener('abort', stop, { once: true })
    try {
      return await perform(task, abort.signal, isLate)
    } catch (error) {
      if (isLate()) return undefined // it will be redelivered, and may be performed in time
      delivery.term()
      onInternalError(error)
      return undefined
    } finally {
      abandoned.removeEventListener('abort', stop)
    }
  }

  /** Repeats the question until it is answered: returning the task would use up one of its few deliveries. */
  async function isStillAwaited(task: Task, { until, abort }: TaskInFlight): Promise<boolean> {
    while (!abort.signal.aborted && monotonicNow() < until) {
      const answer = await parts.isAwaited(task).catch(() => undefined)
      if (answer !== undefined) return answer
      await pause(RETRY_MS)
    }
    return false
  }

  /** Reports a recalled task as unsent. */
  async function returnUnsent({ isRecalled: _, ...task }: Task, inFlight: TaskInFlight): Promise<void> {
    if ('credentials' in task) delete task.credentials
    if ('fetching' in task) delete task.fetching
    await publish({ task, at: time.now(), tookMs: 0, bytes: 0, result: { kind: 'unsent' } }, inFlight)
    inFlight.delivery.ack()
  }

  async function readTask(delivery: Delivery): Promise<Task | undefined> {
    try {
      const body = await payloads.unpack(delivery)
      if (isTask(body)) return body
      throw new DamagedPayload('it is not a task')
    } catch (error) {
      if (error instanceof LaterPayload) delivery.nak(LATER_VERSION_RETRY_MS)
      else delivery.term()
      onInternalError(error instanceof DamagedPayload ? new Error(`a task cannot be read: ${error.message}`) : error)
      return undefined
    }
  }

  /** Retries until the outcome is stored or the task expires. */
  async function publish(outcome: Outcome, { delivery, until, abort }: TaskInFlight): Promise<void> {
    const { lease, bucket } = outcome.task
    const name = `outcome-${lease ?? crypto.randomUUID()}`
    const { data, headers } = await payloads.pack(await outcomeToJson(outcome), name, processName)
    payloads.setTaskObject(delivery, headers)
    for (;;) {
      try {
        await js.publish(names.outcomeSubject(bucket), data, { headers, ...(lease && { msgID: name }) })
        return
      } catch (error) {
        if (link.nc.isClosed() || abandoned.aborted || abort.signal.aborted || monotonicNow() > until) throw error
      }
      await pause(RETRY_MS)
    }
  }
  return run
}
