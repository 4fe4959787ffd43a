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
  subscribesTo?: readonly ('wake' | 'events' | 'query')[]
  /** How long to wait for an answer. */
  askMs?: Millis
}

const ASK_MS: Millis = 2000
const MAX_MESSAGE_CHARS = 256 * 1024

export function createNatsFleet({ link, queueName, clock, subscribesTo, askMs = ASK_MS }: NatsFleetOptions): Fleet {
  const { nc } = link
  const { fleetSubject } = queueNames(queueName)
  const members = createMembers(clock)
  const wakeListeners: Parameters<Fleet['onWake']>[0][] = []
  const eventListeners: Parameters<Fleet['onBroadcast']>[0][] = []
  let questionHandler: Parameters<Fleet['answer']>[0] | undefined
  const instance = crypto.randomUUID()

  function publish(subject: string, body: unknown): void {
    const json = JSON.stringify(body)
    if (link.isUp() && !nc.isDraining() && json.length <= MAX_MESSAGE_CHARS) nc.publish(fleetSubject(subject), json)
  }

  /** Ignores messages that are not valid JSON objects. */
  function subscribe(
    subject: 'heartbeat' | 'wake' | 'events' | 'query',
    listener: (payload: Record<string, unknown>, message: Msg) => void,
  ): () => void {
    if (subject !== 'heartbeat' && subscribesTo && !subscribesTo.includes(subject)) return () => {}
    const subscription = nc.subscribe(fleetSubject(subject), {
      callback: (error, message) => {
        if (error || message.data.length > MAX_MESSAGE_CHARS) return
        let payload: unknown
        try {
          payload = message.json()
        } catch {
          return
        }
        if (typeof payload === 'object' && payload !== null) listener(payload as Record<string, unknown>, message)
      },
    })
    return () => subscription.unsubscribe()
  }

  const unsubscribers = [
    subscribe('heartbeat', ({ member, at }) => {
      if (isMember(member) && typeof at === 'number') members.update(member, at)
    }),
    subscribe('wake', ({ bucket, requested }) => {
      for (const listener of wakeListeners)
        listener(parseBucket(bucket), typeof requested === 'number' ? (requested as FeedId) : undefined)
    }),
    subscribe('events', ({ from, what }) => {
      if (from !== instance) for (const listener of eventListeners) listener(what)
    }),
    subscribe('query', ({ bucket: bucketNumber, question }, message) => {
      const bucket = parseBucket(bucketNumber)
      const answer = bucket === undefined ? undefined : questionHandler?.(bucket, question)
      answer?.then(
        (result) => message.respond(JSON.stringify({ answer: result })),
        (error: unknown) =>
          message.respond(JSON.stringify({ trouble: error instanceof Error ? error.message : 'it failed' })),
      )
    }),
  ]

  return {
    heartbeat: (member) => publish('heartbeat', { member, at: clock.now() }),
    members: members.all,
    wake: (bucket, requested) => publish('wake', { bucket, requested }),
    onWake: (listener) => void wakeListeners.push(listener),
    broadcast: (what) => publish('events', { from: instance, what }),
    onBroadcast: (listener) => void eventListeners.push(listener),
    async ask(bucket, question) {
      let reply: Msg
      try {
        reply = await nc.request(fleetSubject('query'), JSON.stringify({ bucket, question }), { timeout: askMs })
      } catch (error) {
        throw new Error(`no controller owns bucket ${bucket} at the moment`, { cause: error })
      }
      const { answer, trouble } = reply.json<{ answer?: unknown; trouble?: string }>()
      if (trouble !== undefined) throw new Error(trouble)
      return answer
    },
    answer(handler) {
      questionHandler = handler
    },
    async close() {
      if (!nc.isClosed() && !nc.isDraining()) for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}

function parseBucket(value: unknown): Bucket | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < BUCKETS
    ? (value as Bucket)
    : undefined
}

const ROLES = new Set<unknown>(['controller', 'fetcher', 'indexer', 'server'])

function isMember(value: unknown): value is FleetMember {
  if (typeof value !== 'object' || value === null) return false
  const { role, name, version, startedAt, slots = 0, activeTasks = 0 } = value as Record<string, unknown>
  const areCounts = [startedAt, slots, activeTasks].every((field) => Number.isFinite(field))
  return ROLES.has(role) && typeof name === 'string' && name.length <= 200 && typeof version === 'string' && areCounts
}
