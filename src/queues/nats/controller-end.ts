/**
 * The controller's end of the queue: sends tasks, and collects outcomes of the buckets the controller owns. Servers store pushed documents
 * here for the owner of their bucket.
 */
import type { Millis } from '../../model/index.ts'
import type { Clock, Dispatch, KeepPushed } from '../../ports/index.ts'
import type { NatsLink } from './connection.ts'
import { queueNames } from './names.ts'
import { createOutcomeCollector } from './outcome-collector.ts'
import { createOutcomeConsumers } from './outcome-consumers.ts'
import { type Payloads, PUSHED } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { createTaskSender } from './task-sender.ts'

export interface DispatchParts {
  link: NatsLink
  payloads: Payloads
  queueName: string
  who: string
  time: ServerTime
  /** For dates of tasks; defaults to the machine's clock. */
  clock?: Pick<Clock, 'now'> | undefined
  ackWaitMs: Millis
  /** How long the server detects duplicates. */
  rememberedMs: Millis
  /** For one of several controllers: collects nothing until `own` is called. */
  byBucket?: boolean | undefined
  /** How long an outcome may wait for others. */
  gatherMs?: Millis | undefined
  /** Wait before a failed task or outcome is retried. */
  againMs?: Millis | undefined
  onMistake: (error: unknown) => void
  /** Receives the sender of messages that are not outcomes. */
  onNonsense?: ((from: string, what: string) => void) | undefined
}

export interface NatsDispatch extends Dispatch {
  keepPushed: KeepPushed
  /** Whether tasks can be sent, as far as known. */
  isUp(): boolean
}

const RETRY_MS: Millis = 1000
/** A dead controller's unacknowledged outcomes are redelivered to its successor after this time. */
const MAX_OUTCOME_ACK_WAIT_MS: Millis = 8000

export function createNatsDispatch(parts: DispatchParts): NatsDispatch {
  const { link, payloads, queueName, who, time, rememberedMs, onMistake } = parts
  const { clock = { now: Date.now }, gatherMs = 0, againMs: retryMs = RETRY_MS } = parts
  const { byBucket = false, onNonsense = () => {} } = parts
  const ackWaitMs = Math.min(parts.ackWaitMs, MAX_OUTCOME_ACK_WAIT_MS)
  const names = queueNames(queueName)
  const js = link.modules.jetstream.jetstream(link.nc)
  const sender = createTaskSender({ link, payloads, names, who, time, clock, retryMs, rememberedMs, onMistake })
  const collector = createOutcomeCollector({
    link,
    payloads,
    namesSender: byBucket,
    ackWaitMs,
    gatherMs,
    retryMs,
    onMistake,
    onNonsense,
  })
  const consumers = createOutcomeConsumers({ link, names, ackWaitMs, onDelivery: collector.receive })
  let isClosing = false

  return {
    outlivesUs: true,
    isUp: () => link.isUp() && sender.refusal() === undefined,
    refusal: sender.refusal,
    async send(tasks) {
      collector.hurry(false)
      await sender.send(tasks)
    },
    recall: sender.recall,
    collect(apply, take) {
      collector.collect(apply, take)
      if (!byBucket) void consumers.subscribeToAll().catch((error: unknown) => isClosing || onMistake(error))
    },
    async own(buckets) {
      if (!byBucket) throw new Error('who collects everything cannot own a part of it')
      await consumers.own(buckets)
    },
    hurry: () => collector.hurry(true),
    async keepPushed({ body, ...rest }) {
      const name = `pushed-${crypto.randomUUID()}`
      const text = JSON.stringify({ ...rest, body: Buffer.from(body).toString('base64') })
      const { data, headers } = await payloads.pack(text, name, who)
      headers.set(PUSHED, '1')
      await js.publish(names.outcomeSubject(rest.bucket), data, { headers, msgID: name })
    },
    async close(signal) {
      isClosing = true
      sender.close()
      consumers.close()
      await collector.close(signal)
    },
  }
}
