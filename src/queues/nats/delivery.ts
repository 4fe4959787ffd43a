/**
 * A JetStream message delivered to a plain subscription. Its reply subject contains the number of deliveries and the time it was stored, and
 * accepts JetStream's four acknowledgements.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Instant, Millis } from '../../model/index.ts'
import { NANOS_PER_MS } from './names.ts'

export interface Delivery {
  subject: string
  data: Uint8Array
  header(name: string): string | undefined
  /** Number of deliveries, starting with 1. */
  count: number
  /** By the server's clock. */
  storedAt: Instant
  ack(): void
  /** Redeliver after this time. */
  nak(afterMs?: Millis): void
  /** Still being processed. */
  working(): void
  /** Never redeliver. */
  term(): void
}

type Delivered = Pick<Msg, 'subject' | 'data' | 'headers'> & { reply?: string }

export function deliveryOf(nc: NatsConnection, { subject, data, headers, reply = '' }: Delivered): Delivery {
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.sequence.nanoseconds.pending[.token]
  const tokens = reply.split('.')
  const from = tokens.length >= 11 ? 6 : 4
  const acknowledge = (text: string) => {
    if (!nc.isClosed() && !nc.isDraining()) nc.publish(reply, text)
  }
  return {
    subject,
    data,
    header: (name) => headers?.get(name) || undefined,
    count: Number(tokens[from] ?? 1),
    storedAt: Math.floor(Number(tokens[from + 3] ?? 0) / NANOS_PER_MS),
    ack: () => acknowledge('+ACK'),
    nak: (afterMs = 0) => acknowledge(afterMs > 0 ? `-NAK {"delay": ${afterMs * NANOS_PER_MS}}` : '-NAK'),
    working: () => acknowledge('+WPI'),
    term: () => acknowledge('+TERM'),
  }
}
