/**
 * Consumers of the stream of outcomes: one per bucket, delivering to the controller that owns the bucket, or a single one for all buckets.
 */
import type { Subscription } from '@nats-io/transport-node'
import type { Bucket, Millis } from '../../model/index.ts'
import type { NatsLink } from './connection.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { NANOS_PER_MS, type QueueNames } from './names.ts'

export interface OutcomeConsumers {
  subscribeToAll(): Promise<void>
  /** Subscribes to these buckets, and unsubscribes from all others. */
  own(buckets: ReadonlySet<Bucket>): Promise<void>
  close(): void
}

export interface OutcomeConsumersParts {
  link: NatsLink
  names: QueueNames
  ackWaitMs: Millis
  onDelivery: (delivery: Delivery) => void
}

const MAX_UNACKED_PER_BUCKET = 256

export function createOutcomeConsumers({
  link,
  names,
  ackWaitMs,
  onDelivery,
}: OutcomeConsumersParts): OutcomeConsumers {
  const { nc, modules } = link
  const { jetstreamManager, AckPolicy } = modules.jetstream
  const subscriptions = new Map<Bucket | undefined, Subscription>()

  async function subscribe(bucket: Bucket | undefined): Promise<void> {
    if (subscriptions.has(bucket)) return
    const subscription = nc.subscribe(names.deliverSubject(bucket), {
      callback: (error, message) => {
        if (!error) onDelivery(deliveryOf(nc, message))
      },
    })
    subscriptions.set(bucket, subscription)
    await addConsumer(bucket)
  }

  /** An existing durable consumer is left unchanged, even with settings of another version. */
  async function addConsumer(bucket: Bucket | undefined): Promise<void> {
    const jsm = await jetstreamManager(nc, { checkAPI: false })
    const name = names.consumer(bucket)
    const config = {
      durable_name: name,
      deliver_subject: names.deliverSubject(bucket),
      filter_subject: bucket === undefined ? names.allOutcomes : names.outcomeSubject(bucket),
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWaitMs * NANOS_PER_MS,
      max_ack_pending: MAX_UNACKED_PER_BUCKET,
      // 256 consumers with a file each, written at every acknowledgement, took half of the server's CPU. After a restart the server knows
      // from the stream what is unacknowledged, and we create the consumers again.
      mem_storage: true,
    }
    await jsm.consumers.add(names.outcomes, config).catch(async (error: unknown) => {
      await jsm.consumers.info(names.outcomes, name).catch(() => Promise.reject(error))
    })
  }

  // A restarted server may have lost its consumers.
  link.onReconnect(async () => {
    await Promise.all([...subscriptions.keys()].map(addConsumer))
  })

  return {
    subscribeToAll: () => subscribe(undefined),
    async own(buckets) {
      for (const [bucket, subscription] of subscriptions)
        if (bucket === undefined || !buckets.has(bucket)) {
          subscription.unsubscribe()
          subscriptions.delete(bucket)
        }
      await Promise.all([...buckets].map(subscribe))
    },
    close() {
      for (const subscription of subscriptions.values()) if (!nc.isClosed()) subscription.unsubscribe()
    },
  }
}
