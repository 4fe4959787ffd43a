/**
 * Fleet membership of a controller: sends heartbeats, tracks the other members, wakes up for commands that other processes received, and
 * answers questions about the buckets it owns.
 */
import { BUCKETS, type FeedId, type Owned, SECOND } from '../../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../../ports/index.ts'
import type { Activity, CrawlEvent } from '../crawler.ts'
import type { Controller } from '../scheduler/controller.ts'
import { eventToJson, type FleetMessage } from './event-messages.ts'
import { createFetcherStatus, type FetcherStatus } from './fetcher-status.ts'
import { sendHeartbeats } from './heartbeat.ts'

export interface FleetConnection {
  fleet: Fleet
  /** Describes this process. */
  member: Pick<FleetMember, 'name' | 'version' | 'region'>
}

export interface FleetMembershipParts extends FleetConnection {
  clock: Clock
  owned: () => Owned
  emit: (event: CrawlEvent) => void
}

export interface FleetMembership {
  fetcherStatus: FetcherStatus
  /** The share of all buckets that this controller owns, in [0, 1]. */
  share(): number
  /** Publishes an event to the servers, and new entries to the indexers. */
  publish(event: CrawlEvent): void
  /** Takes part in the fleet until the signal aborts. */
  run(
    signal: AbortSignal,
    controller: Pick<Controller, 'noteUserRequest' | 'freeAt' | 'pushReceiver' | 'inFlightTasks'>,
    activity: () => Activity,
  ): Promise<void>
  onWake(listener: () => void): void
}

/** Questions to the owner of a bucket. */
export type FleetQuestion =
  | { kind: 'awaited'; lease: string }
  | { kind: 'free-at'; url: string }
  | { kind: 'confirm'; token: string; query: Record<string, string> }

const MAX_REPORTED_TASKS = 50
const NEWS_INTERVAL_MS = SECOND

export function createFleetMembership({ fleet, member, clock, owned, emit }: FleetMembershipParts): FleetMembership {
  const share = () => owned().size / BUCKETS
  const fetcherStatus = createFetcherStatus({ fleet, clock, share, emit })
  const wakers: (() => void)[] = []
  const startedAt = clock.now()
  let nextNewsAt = 0

  function answerTo(
    question: FleetQuestion,
    { freeAt, pushReceiver, inFlightTasks }: Pick<Controller, 'freeAt' | 'pushReceiver' | 'inFlightTasks'>,
  ): Promise<unknown> {
    if (question.kind === 'awaited')
      return Promise.resolve(inFlightTasks().some(({ task }) => task.lease === question.lease))
    if (question.kind === 'confirm') {
      if (!pushReceiver) return Promise.reject(new Error('this controller has no hub subscriptions'))
      return pushReceiver.confirm(question.token, question.query)
    }
    return Promise.resolve(freeAt(question.url as Parameters<typeof freeAt>[0], clock.now()))
  }

  return {
    fetcherStatus,
    share,
    onWake: (listener) => void wakers.push(listener),
    publish(event) {
      const send = (message: FleetMessage) => fleet.broadcast(message)
      if (fleet.members().some(({ role }) => role === 'server')) send({ kind: 'event', event: eventToJson(event) })
      if (!hasNewEntries(event) || clock.now() < nextNewsAt) return
      nextNewsAt = clock.now() + NEWS_INTERVAL_MS
      send({ kind: 'news' })
    },
    async run(signal, controller, activity) {
      fleet.onWake((bucket, feedId) => {
        if (signal.aborted || (bucket !== undefined && !owned().has(bucket))) return
        if (feedId !== undefined) controller.noteUserRequest(feedId as FeedId)
        for (const waker of wakers) waker()
      })
      fleet.answer((bucket, question) =>
        !signal.aborted && owned().has(bucket) ? answerTo(question as FleetQuestion, controller) : undefined,
      )
      await sendHeartbeats(signal, { fleet, clock }, () => {
        fetcherStatus.update()
        const { inFlight, ...rest } = activity()
        const details = { ...rest, inFlight: inFlight.slice(0, MAX_REPORTED_TASKS) }
        return {
          role: 'controller',
          ...member,
          startedAt,
          buckets: owned().size,
          quarantined: fetcherStatus.quarantined(),
          details,
        }
      })
    },
  }
}

function hasNewEntries(event: CrawlEvent): boolean {
  return event.kind === 'polled' ? event.result.kind === 'read' : ['pushed', 'found', 'article'].includes(event.kind)
}
