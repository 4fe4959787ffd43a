/**
 * The controller's end of the queue: sends tasks, and collects outcomes of the buckets the controller owns. Servers store pushed documents
 * here for the owner of their bucket.
 */
import type { Millis } from '../../model/index.ts'
import type { Clock, ControllerQueue, StorePushedDocument } from '../../ports/index.ts'
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
  processName: string
  time: ServerTime
  /** For dates of tasks; defaults to the machine's clock. */
  clock?: Pick<Clock, 'now'> | undefined
  ackWaitMs: Millis
  /** How long the server detects duplicates. */
  deduplicationMs: Millis
  /** For one of several controllers: collects nothing until `own` is called. */
  byBucket?: boolean | undefined
  /** How long an outcome may wait for others. */
  gatherMs?: Millis | undefined
  /** Wait before a failed task or outcome is retried. */
  retryMs?: Millis | undefined
  onInternalError: (error: unknown) => void
  /** Called with the sender of messages that are not outcomes. */
  onUnreadable?: ((from: string, what: string) => void) | undefined
}

export interface NatsDispatch extends ControllerQueue {
  storePush: StorePushedDocument
  /** Whether tasks can be sent, as far as known. */
  isConnected(): boolean
}

const RETRY_MS: Millis = 1000
/** A dead controller's unacknowledged outcomes are redelivered to its successor after this time. */
const MAX_OUTCOME_ACK_WAIT_MS: Millis = 8000

export function createNatsDispatch(parts: DispatchParts): NatsDispatch {
  const { link, payloads, queueName, processName, time, deduplicationMs, onInternalError } = parts
  const { clock = { now: Date.now }, gatherMs = 0, retryMs = RETRY_MS } = parts
  const { byBucket = false, onUnreadable = () => {} } = parts
  const ackWaitMs = Math.min(parts.ackWaitMs, MAX_OUTCOME_ACK_WAIT_MS)
  const names = queueNames(queueName)
  const js = link.modules.jetstream.jetstream(link.nc)
  const sender = createTaskSender({
    link,
    payloads,
    names,
    processName,
    time,
    clock,
    retryMs,
    deduplicationMs,
    onInternalError,
  })
  const collector = createOutcomeCollector({
    link,
    payloads,
    namesSender: byBucket,
    ackWaitMs,
    gatherMs,
    retryMs,
    onInternalError,
    onUnreadable,
  })
  const consumers = createOutcomeConsumers({ link, names, ackWaitMs, onDelivery: collector.receive })
  let isClosing = false

  return {
    isDurable: true,
    isConnected: () => link.isUp() && sender.refusal() === undefined,
    refusal: sender.refusal,
    async send(tasks) {
      collector.hurry(false)
      await sender.send(tasks)
    },
    recall: sender.recall,
    collect(apply, take) {
      collector.collect(apply, take)
      if (!byBucket) void consumers.subscribeToAll().catch((error: unknown) => isClosing || onInternalError(error))
    },
    async assignBuckets(buckets) {
      if (!byBucket) throw new Error('buckets cannot be assigned to a queue that collects all outcomes')
      await consumers.own(buckets)
    },
    flushOutcomes: () => collector.hurry(true),
    async storePush({ body, ...rest }) {
      const name = `pushed-${crypto.randomUUID()}`
      const text = JSON.stringify({ ...rest, body: Buffer.from(body).toString('base64') })
      const { data, headers } = await payloads.pack(text, name, processName)
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
