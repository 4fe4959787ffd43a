/**
 * A message as JetStream delivers it to a plain subscription. Its reply subject says how often it was delivered and when it was stored, and
 * takes the four answers of JetStream.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Instant, Millis } from '../../../model/index.ts'
import { NANOS_PER_MS } from './names.ts'

export interface Delivery {
  subject: string
  data: Uint8Array
  header(name: string): string | undefined
  /** 1 the first time. */
  count: number
  /** By the server's clock. */
  storedAt: Instant
  ack(): void
  /** Have it delivered again, after so long. */
  nak(afterMs?: Millis): void
  /** It is still being processed. */
  working(): void
  /** It is never to be delivered again. */
  term(): void
}

type Delivered = Pick<Msg, 'subject' | 'data' | 'headers'> & { reply?: string }

export function deliveryOf(nc: NatsConnection, { subject, data, headers, reply = '' }: Delivered): Delivery {
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.sequence.nanoseconds.pending[.token]
  const words = reply.split('.')
  const from = words.length >= 11 ? 6 : 4
  const answer = (text: string) => {
    if (!nc.isClosed() && !nc.isDraining()) nc.publish(reply, text)
  }
  return {
    subject,
    data,
    header: (name) => headers?.get(name) || undefined,
    count: Number(words[from] ?? 1),
    storedAt: Math.floor(Number(words[from + 3] ?? 0) / NANOS_PER_MS),
    ack: () => answer('+ACK'),
    nak: (afterMs = 0) => answer(afterMs > 0 ? `-NAK {"delay": ${afterMs * NANOS_PER_MS}}` : '-NAK'),
    working: () => answer('+WPI'),
    term: () => answer('+TERM'),
  }
}
