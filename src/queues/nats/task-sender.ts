/**
 * Sends tasks to the stream. Each is published under the token of its lease, so that the server stores duplicates only once. If the server
 * does not answer, it is unknown whether it has the task: so the task is sent again while it is valid, and counts as sent meanwhile.
 *
 * The successor of a dead controller does not know which of its tasks were sent. It recalls them: each is published again under its token,
 * marked as recalled. The server stores that message only if it never had the task; a fetcher then returns it as unsent, and the task
 * itself, if it still arrives, is a duplicate.
 */
import { MINUTE, type Millis, type Task } from '../../model/index.ts'
import { type Clock, QueueError, type Refusal } from '../../ports/index.ts'
import type { NatsLink } from './connection.ts'
import type { QueueNames } from './names.ts'
import { pause } from './pause.ts'
import type { Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'

export interface TaskSender {
  send(tasks: Task[]): Promise<void>
  recall(tasks: Task[]): Promise<void>
  /** Why the server currently refuses tasks. */
  refusal(): Refusal | undefined
  close(): void
}

export interface TaskSenderParts {
  link: NatsLink
  payloads: Payloads
  names: QueueNames
  processName: string
  time: ServerTime
  clock: Pick<Clock, 'now'>
  retryMs: Millis
  /** How long the server detects duplicates. */
  deduplicationMs: Millis
  onInternalError: (error: unknown) => void
}

/** Callers wait no longer for the server's answer. */
const SEND_TIMEOUT_MS: Millis = 2000
/** For tasks without a limit of their own. */
const DEFAULT_VALID_MS: Millis = 10 * MINUTE

export function createTaskSender(parts: TaskSenderParts): TaskSender {
  const { link, payloads, names, processName, time, clock, retryMs, deduplicationMs, onInternalError } = parts
  const { nc, modules } = link
  const js = modules.jetstream.jetstream(nc)
  let isClosed = false
  let refusal: Refusal | undefined

  async function sendOne(task: Task): Promise<void> {
    const name = `task-${task.lease ?? crypto.randomUUID()}`
    const ageMs = task.departedAt === undefined ? 0 : Math.max(0, clock.now() - task.departedAt)
    const deadline = performance.now() + (task.goodForMs ?? DEFAULT_VALID_MS) - ageMs
    // By the server's clock, which all machines share. Fixed here, so that a suspended process cannot make the task newer.
    const dateHeaders = task.departedAt === undefined ? task : { ...task, departedAt: Math.floor(time.now() - ageMs) }
    const { data, headers } = await payloads.pack(JSON.stringify(dateHeaders), name, processName)
    for (let isReported = false; ; ) {
      try {
        await js.publish(names.taskSubject(task.kind), data, { headers, msgID: name })
        refusal = undefined
        return
      } catch (error) {
        const isLast = nc.isClosed() || isClosed || performance.now() > deadline
        // The controller sends nothing during a refusal, so only these retries can detect its end.
        const { message: reason, hint } = refusalOf(error)
        refusal =
          isLast || !link.isUp() ? undefined : { message: reason, hint, sinceAt: refusal?.sinceAt ?? clock.now() }
        if (!isReported && !isClosed) onInternalError(new QueueError(reason, hint, { cause: error }))
        isReported = true
        if (isLast) return
      }
      await pause(retryMs)
    }
  }

  async function sendAll(tasks: Task[]): Promise<void> {
    await Promise.race([Promise.all(tasks.map(sendOne)), pause(SEND_TIMEOUT_MS)])
  }

  return {
    async send(tasks) {
      if (isClosed) throw new Error('the queue is closed')
      await sendAll(tasks)
    },
    async recall(tasks) {
      const isRemembered = ({ departedAt = 0 }: Task) => clock.now() - departedAt < deduplicationMs / 2
      await sendAll(tasks.filter(isRemembered).map((task) => ({ ...task, isRecalled: true as const })))
    },
    refusal: () => refusal,
    close() {
      isClosed = true
    },
  }
}

/** A server with a full disk refuses everything, or disables JetStream and does not answer. */
function refusalOf(error: unknown): Pick<Refusal, 'message' | 'hint'> {
  const message = error instanceof Error ? error.message : String(error)
  const text = `NATS rejects tasks: ${message}`
  const hint = /resources|space|limit|maximum/i.test(message)
    ? 'Free space on the JetStream disk or raise its limit; if tasks are still rejected, restart nats-server.'
    : 'Check whether the JetStream disk is full: JetStream is then disabled until nats-server is restarted.'
  return { message: text, hint }
}
