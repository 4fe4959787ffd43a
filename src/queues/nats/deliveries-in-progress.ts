/** Deliveries being processed. Regular progress messages keep the server from redelivering them. */
import type { Millis } from '../../model/index.ts'
import type { NatsLink } from './connection.ts'
import type { Delivery } from './delivery.ts'
import type { Payloads } from './payload.ts'

export interface DeliveriesInProgress {
  start(delivery: Delivery): void
  /** Processing succeeded. */
  complete(delivery: Delivery): void
  /** It can never be processed. */
  discard(delivery: Delivery): void
  /** Redeliver after this time. */
  retry(delivery: Delivery, afterMs: Millis): void
  close(): void
}

export function createDeliveriesInProgress({
  link,
  payloads,
  ackWaitMs,
}: {
  link: Pick<NatsLink, 'isUp'>
  payloads: Pick<Payloads, 'deleteObject'>
  ackWaitMs: Millis
}): DeliveriesInProgress {
  const inProgress = new Set<Delivery>()
  const heartbeat = setInterval(() => {
    if (link.isUp()) for (const delivery of inProgress) delivery.working()
  }, ackWaitMs / 6)
  heartbeat.unref()
  return {
    start: (delivery) => void inProgress.add(delivery),
    complete(delivery) {
      inProgress.delete(delivery)
      delivery.ack()
      void payloads.deleteObject(delivery)
    },
    discard(delivery) {
      inProgress.delete(delivery)
      delivery.term()
      void payloads.deleteObject(delivery)
    },
    retry(delivery, afterMs) {
      inProgress.delete(delivery)
      delivery.nak(afterMs)
    },
    close: () => clearInterval(heartbeat),
  }
}
