/**
 * Sends tasks to the stream. Each is published under the token of its lease, so that the server stores one that is sent twice only once. If
 * the server does not answer, nobody knows whether it has the task: so it is sent again while it is valid, and counts as sent meanwhile.
 *
 * The successor of a dead controller does not know which of its tasks were sent. It recalls them: each is published again under its token,
 * marked as recalled. The server stores that message only if it never had the task; a fetcher then returns it as unsent, and the task
 * itself, should it still come, is a duplicate.
 */
import { MINUTE, type Millis, type Task } from '../../../model/index.ts'
import { type Clock, QueueError, type Refusal } from '../../../ports/index.ts'
import type { NatsLink } from './connection.ts'
import type { QueueNames } from './names.ts'
import { pause } from './pause.ts'
import type { Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'

export interface TaskSender {
  send(tasks: Task[]): Promise<void>
  recall(tasks: Task[]): Promise<void>
  /** Why the server takes no tasks, while it does not. */
  refusal(): Refusal | undefined
  close(): void
}

export interface TaskSenderParts {
  link: NatsLink
  payloads: Payloads
  names: QueueNames
  who: string
  time: ServerTime
  clock: Pick<Clock, 'now'>
  retryMs: Millis
  /** For how long the server recognizes duplicates. */
  rememberedMs: Millis
  onMistake: (error: unknown) => void
}

/** Senders wait no longer: whether the tasks arrive is not theirs to know. */
const SEND_TIMEOUT_MS: Millis = 2000
/** Of a task that does not say. */
const DEFAULT_VALID_MS: Millis = 10 * MINUTE

export function createTaskSender(parts: TaskSenderParts): TaskSender {
  const { link, payloads, names, who, time, clock, retryMs, rememberedMs, onMistake } = parts
  const { nc, modules } = link
  const js = modules.jetstream.jetstream(nc)
  let isClosed = false
  let refusal: Refusal | undefined

  async function sendOne(task: Task): Promise<void> {
    const name = `task-${task.lease ?? crypto.randomUUID()}`
    const ageMs = task.departedAt === undefined ? 0 : Math.max(0, clock.now() - task.departedAt)
    const until = performance.now() + (task.goodForMs ?? DEFAULT_VALID_MS) - ageMs
    // By the server's clock, which all can read. It is fixed here: a process that is suspended later cannot make it newer.
    const dated = task.departedAt === undefined ? task : { ...task, departedAt: Math.floor(time.now() - ageMs) }
    const { data, headers } = await payloads.pack(JSON.stringify(dated), name, who)
    for (let isReported = false; ; ) {
      try {
        await js.publish(names.taskSubject(task.kind), data, { headers, msgID: name })
        refusal = undefined
        return
      } catch (error) {
        const isLast = nc.isClosed() || isClosed || performance.now() > until
        // The controller sends nothing while there is a refusal, so these retries alone can find out that it is over.
        const { words, hint } = refusalOf(error)
        refusal = isLast || !link.isUp() ? undefined : { words, hint, sinceAt: refusal?.sinceAt ?? clock.now() }
        if (!isReported && !isClosed) onMistake(new QueueError(words, hint, { cause: error }))
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
      if (isClosed) throw new Error('the queue is closed and takes no more tasks')
      await sendAll(tasks)
    },
    async recall(tasks) {
      const isRemembered = ({ departedAt = 0 }: Task) => clock.now() - departedAt < rememberedMs / 2
      await sendAll(tasks.filter(isRemembered).map((task) => ({ ...task, isRecalled: true as const })))
    },
    refusal: () => refusal,
    close() {
      isClosed = true
    },
  }
}

/** A server whose disk is full refuses everything, or disables JetStream and answers nothing. */
function refusalOf(error: unknown): Pick<Refusal, 'words' | 'hint'> {
  const message = error instanceof Error ? error.message : String(error)
  const words = `NATS does not take tasks: ${message}`
  const hint = /resources|space|limit|maximum/i.test(message)
    ? 'Make room on the disk of JetStream, or give it more; if it does not go on then, start nats-server again.'
    : 'Look whether the disk of JetStream is full: it is switched off then, until nats-server is started again.'
  return { words, hint }
}
