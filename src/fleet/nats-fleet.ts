/** Fleet communication over plain NATS subjects, on the server of the queue. Messages are not stored: offline members miss them. */
import type { Msg } from '@nats-io/transport-node'
import { BUCKETS, type Bucket, type FeedId, type Millis } from '../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../ports/index.ts'
import type { NatsLink } from '../queues/nats/connection.ts'
import { queueNames } from '../queues/nats/names.ts'
import { createMembers } from './members.ts'

export interface NatsFleetOptions {
  link: NatsLink
  queueName: string
  clock: Pick<Clock, 'now'>
  /** Subjects to subscribe to besides heartbeats; all by default. The server may deny a role those it does not handle. */
  hears?: readonly ('wake' | 'told' | 'ask')[]
  /** How long to wait for an answer. */
  askMs?: Millis
}

const ASK_MS: Millis = 2000
const LARGEST_WORDS = 256 * 1024

export function createNatsFleet({ link, queueName, clock, hears, askMs = ASK_MS }: NatsFleetOptions): Fleet {
  const { nc } = link
  const { fleetSubject } = queueNames(queueName)
  const members = createMembers(clock)
  const wakes: Parameters<Fleet['onWake']>[0][] = []
  const tellings: Parameters<Fleet['onTold']>[0][] = []
  let answerer: Parameters<Fleet['answer']>[0] | undefined
  const who = crypto.randomUUID()

  function say(subject: string, what: unknown): void {
    const words = JSON.stringify(what)
    if (link.isUp() && !nc.isDraining() && words.length <= LARGEST_WORDS) nc.publish(fleetSubject(subject), words)
  }

  /** Ignores messages that are not valid JSON objects. */
  function hear(
    subject: 'beat' | 'wake' | 'told' | 'ask',
    listener: (said: Record<string, unknown>, message: Msg) => void,
  ): () => void {
    if (subject !== 'beat' && hears && !hears.includes(subject)) return () => {}
    const mail = nc.subscribe(fleetSubject(subject), {
      callback: (error, message) => {
        if (error || message.data.length > LARGEST_WORDS) return
        let said: unknown
        try {
          said = message.json()
        } catch {
          return
        }
        if (typeof said === 'object' && said !== null) listener(said as Record<string, unknown>, message)
      },
    })
    return () => mail.unsubscribe()
  }

  const stops = [
    hear('beat', ({ member, at }) => {
      if (isMember(member) && typeof at === 'number') members.hear(member, at)
    }),
    hear('wake', ({ bucket, asked }) => {
      for (const listener of wakes)
        listener(bucketIn(bucket), typeof asked === 'number' ? (asked as FeedId) : undefined)
    }),
    hear('told', ({ from, what }) => {
      if (from !== who) for (const listener of tellings) listener(what)
    }),
    hear('ask', ({ bucket: given, question }, message) => {
      const bucket = bucketIn(given)
      const answer = bucket === undefined ? undefined : answerer?.(bucket, question)
      answer?.then(
        (said) => message.respond(JSON.stringify({ said })),
        (error: unknown) =>
          message.respond(JSON.stringify({ trouble: error instanceof Error ? error.message : 'it failed' })),
      )
    }),
  ]

  return {
    beat: (member) => say('beat', { member, at: clock.now() }),
    members: members.all,
    wake: (bucket, asked) => say('wake', { bucket, asked }),
    onWake: (listener) => void wakes.push(listener),
    tell: (what) => say('told', { from: who, what }),
    onTold: (listener) => void tellings.push(listener),
    async ask(bucket, question) {
      let reply: Msg
      try {
        reply = await nc.request(fleetSubject('ask'), JSON.stringify({ bucket, question }), { timeout: askMs })
      } catch (error) {
        throw new Error(`nobody has bucket ${bucket} at the moment`, { cause: error })
      }
      const { said, trouble } = reply.json<{ said?: unknown; trouble?: string }>()
      if (trouble !== undefined) throw new Error(trouble)
      return said
    },
    answer(given) {
      answerer = given
    },
    async close() {
      if (!nc.isClosed() && !nc.isDraining()) for (const stop of stops) stop()
    },
  }
}

function bucketIn(value: unknown): Bucket | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < BUCKETS
    ? (value as Bucket)
    : undefined
}

const ROLES = new Set<unknown>(['controller', 'fetcher', 'indexer', 'server'])

function isMember(value: unknown): value is FleetMember {
  if (typeof value !== 'object' || value === null) return false
  const { role, name, version, startedAt, hands = 0, load = 0 } = value as Record<string, unknown>
  const areCounts = [startedAt, hands, load].every((one) => Number.isFinite(one))
  return ROLES.has(role) && typeof name === 'string' && name.length <= 200 && typeof version === 'string' && areCounts
}
