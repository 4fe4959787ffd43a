/**
 * Performs a delivered task and publishes its outcome. The task is acknowledged once the outcome is in the other stream.
 *
 * A task may come a second time: after a crash of the server, if it missed our acknowledgement, or if another fetcher stopped answering. And a
 * controller that was suspended may send tasks of buckets that it no longer owns. So before a task that is delivered again, is some seconds
 * old, or is older than our connection, the owner of its bucket is asked whether it still waits for it; while there is none, the task waits.
 * A task that is delivered again is dropped where its host needs a longer gap than the third of the ack wait that is left.
 */
import type { Millis, Outcome, Task } from '../../../model/index.ts'
import { type Perform, UNASKED_MS } from '../../../ports/index.ts'
import { outcomeToJson } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import type { Delivery } from './delivery.ts'
import type { QueueNames } from './names.ts'
import { pause } from './pause.ts'
import { DamagedPayload, LATER_VERSION_RETRY_MS, LaterPayload, type Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { isTask } from './shapes.ts'
import { monotonicNow, type TaskInFlight } from './task-heartbeat.ts'

/** Whether the sender still waits for the task; undefined if nobody can tell now. */
export type IsAwaited = (task: Task) => Promise<boolean | undefined>

export interface TaskRunnerParts {
  link: NatsLink
  payloads: Payloads
  time: ServerTime
  names: QueueNames
  who: string
  /** How long a fetcher that was cut off may go on. */
  maxSilenceMs: Millis
  /** The longest gap between visits for which a task may be delivered again. */
  maxGapMs: Millis
  isLate: (task: TaskInFlight) => boolean
  isAwaited: IsAwaited
  /** Aborted when the queue closes and waits no longer. */
  abandoned: AbortSignal
  onMistake: (error: unknown) => void
}

const RETRY_MS: Millis = 250

export function createTaskRunner(parts: TaskRunnerParts): (inFlight: TaskInFlight, perform: Perform) => Promise<void> {
  const { link, payloads, time, names, who, maxSilenceMs, maxGapMs, abandoned, onMistake } = parts
  const js = link.modules.jetstream.jetstream(link.nc)
  let connectedAt = time.now()
  let reconnects = 0
  link.onAgain(() => {
    connectedAt = time.now()
    reconnects++
  })

  async function run(inFlight: TaskInFlight, perform: Perform): Promise<void> {
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
    if (isRedelivered || ageMs > UNASKED_MS || isBeforeConnection) {
      // Another may have had it before we reconnected: after this pause it has stopped, or published the outcome.
      if (reconnects > 0 && isBeforeConnection) await pause(maxSilenceMs)
      if (!(await isStillAwaited(task, inFlight))) return delivery.term()
    }
    const outcome = await performed(task, inFlight, perform)
    if (!outcome || abort.signal.aborted) return
    await publish(outcome, inFlight)
    delivery.ack()
  }

  async function performed(task: Task, inFlight: TaskInFlight, perform: Perform): Promise<Outcome | undefined> {
    const { delivery, abort } = inFlight
    const isLate = () => parts.isLate(inFlight)
    const stop = () => abort.abort()
    abandoned.addEventListener('abort', stop, { once: true })
    try {
      return await perform(task, abort.signal, isLate)
    } catch (error) {
      if (isLate()) return undefined // it is delivered again, and may be performed in time
      delivery.term()
      onMistake(error)
      return undefined
    } finally {
      abandoned.removeEventListener('abort', stop)
    }
  }

  /** Asks until somebody can tell: to return the task would use up one of its few deliveries. */
  async function isStillAwaited(task: Task, { until, abort }: TaskInFlight): Promise<boolean> {
    while (!abort.signal.aborted && monotonicNow() < until) {
      const answer = await parts.isAwaited(task).catch(() => undefined)
      if (answer !== undefined) return answer
      await pause(RETRY_MS)
    }
    return false
  }

  /** Tells the controller that recalled it that nobody has performed it. */
  async function returnUnsent({ isRecalled: _, ...task }: Task, inFlight: TaskInFlight): Promise<void> {
    if ('credentials' in task) delete task.credentials
    await publish({ task, at: time.now(), tookMs: 0, bytes: 0, result: { kind: 'unsent' } }, inFlight)
    inFlight.delivery.ack()
  }

  async function readTask(delivery: Delivery): Promise<Task | undefined> {
    try {
      const body = await payloads.unpack(delivery)
      if (isTask(body)) return body
      throw new DamagedPayload('it is no task')
    } catch (error) {
      if (error instanceof LaterPayload) delivery.nak(LATER_VERSION_RETRY_MS)
      else delivery.term()
      onMistake(error instanceof DamagedPayload ? new Error(`a task cannot be read: ${error.message}`) : error)
      return undefined
    }
  }

  /** Tries until the outcome is in the stream, or the task expires. */
  async function publish(outcome: Outcome, { delivery, until, abort }: TaskInFlight): Promise<void> {
    const { lease, bucket } = outcome.task
    const name = `outcome-${lease ?? crypto.randomUUID()}`
    const { data, headers } = await payloads.pack(await outcomeToJson(outcome), name, who)
    payloads.answering(delivery, headers)
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
