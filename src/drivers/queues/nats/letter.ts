/**
 * A message of JetStream as it was delivered, by its reply subject alone: how often, and when it came into the stream; and the
 * four answers to it. Where a consumer delivers to a plain subscription there is nothing else to be had.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Instant, Millis } from '../../../model/index.ts'

export interface Letter {
  subject: string
  data: Uint8Array
  header(name: string): string | undefined
  /** 1 the first time. */
  deliveries: number
  /** By the server's clock. */
  storedAt: Instant
  ack(): void
  /** To be brought again, after so long. */
  refuse(afterMs?: Millis): void
  /** It is still being worked on. */
  sign(): void
  /** Never again. */
  drop(): void
}

const NANOS = 1_000_000

type Delivered = Pick<Msg, 'subject' | 'data' | 'headers'> & { reply?: string }

export function letterOf(nc: NatsConnection, { subject, data, headers, reply = '' }: Delivered): Letter {
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.sequence.nanoseconds.pending[.token]
  const words = reply.split('.')
  const from = words.length >= 11 ? 6 : 4
  const say = (answer: string) => {
    if (!nc.isClosed() && !nc.isDraining()) nc.publish(reply, answer)
  }
  return {
    subject,
    data,
    header: (name) => headers?.get(name) || undefined,
    deliveries: Number(words[from] ?? 1),
    storedAt: Math.floor(Number(words[from + 3] ?? 0) / NANOS),
    ack: () => say('+ACK'),
    refuse: (afterMs = 0) => say(afterMs > 0 ? `-NAK {"delay": ${afterMs * NANOS}}` : '-NAK'),
    sign: () => say('+WPI'),
    drop: () => say('+TERM'),
  }
}
