/**
 * A controller among others: it says that it lives, hears who is there, is woken up by commands that other processes have taken, and
 * answers for the buckets that it owns.
 */
import { BUCKETS, type FeedId, type Owned, SECOND } from '../../model/index.ts'
import type { Clock, Fleet, FleetMember } from '../../ports/index.ts'
import type { Activity, CrawlEvent } from '../crawler.ts'
import type { Controller } from '../scheduler/controller.ts'
import { eventToJson, type FleetNews } from './event-messages.ts'
import { type Crew, createCrew } from './fetcher-status.ts'
import { beatUntil } from './heartbeat.ts'

export interface FleetMembership {
  fleet: Fleet
  /** Of this process. */
  member: Pick<FleetMember, 'name' | 'version' | 'region'>
}

export interface InFleetParts extends FleetMembership {
  clock: Clock
  owned: () => Owned
  emit: (event: CrawlEvent) => void
}

export interface InFleet {
  crew: Crew
  /** Of all buckets, ours. */
  share(): number
  /** Others may want to know. */
  tell(event: CrawlEvent): void
  /** From now on; until the signal aborts. */
  run(
    signal: AbortSignal,
    controller: Pick<Controller, 'askedFor' | 'freeAt' | 'pushReceiver' | 'underWay'>,
    activity: () => Activity,
  ): Promise<void>
  onWake(listener: () => void): void
}

/** What may be asked of who owns a bucket. */
export type FleetQuestion =
  | { kind: 'awaited'; lease: string }
  | { kind: 'free-at'; url: string }
  | { kind: 'confirm'; token: string; query: Record<string, string> }

const UNDER_WAY_TOLD = 50
const NEWS_EVERY_MS = SECOND

export function createInFleet({ fleet, member, clock, owned, emit }: InFleetParts): InFleet {
  const share = () => owned().size / BUCKETS
  const crew = createCrew({ fleet, clock, share, emit })
  const wakers: (() => void)[] = []
  const startedAt = clock.now()
  let newsAt = 0

  function answerTo(
    question: FleetQuestion,
    { freeAt, pushReceiver, underWay }: Pick<Controller, 'freeAt' | 'pushReceiver' | 'underWay'>,
  ): Promise<unknown> {
    if (question.kind === 'awaited')
      return Promise.resolve(underWay().some(({ task }) => task.lease === question.lease))
    if (question.kind === 'confirm') {
      if (!pushReceiver) return Promise.reject(new Error('hubs are not expected here'))
      return pushReceiver.confirm(question.token, question.query)
    }
    return Promise.resolve(freeAt(question.url as Parameters<typeof freeAt>[0], clock.now()))
  }

  return {
    crew,
    share,
    onWake: (listener) => void wakers.push(listener),
    tell(event) {
      const say = (what: FleetNews) => fleet.tell(what)
      if (fleet.members().some(({ role }) => role === 'server')) say({ kind: 'event', event: eventToJson(event) })
      if (!bringsNews(event) || clock.now() < newsAt) return
      newsAt = clock.now() + NEWS_EVERY_MS
      say({ kind: 'news' })
    },
    async run(signal, controller, activity) {
      fleet.onWake((bucket, asked) => {
        if (signal.aborted || (bucket !== undefined && !owned().has(bucket))) return
        if (asked !== undefined) controller.askedFor(asked as FeedId)
        for (const waker of wakers) waker()
      })
      fleet.answer((bucket, question) =>
        !signal.aborted && owned().has(bucket) ? answerTo(question as FleetQuestion, controller) : undefined,
      )
      await beatUntil(signal, { fleet, clock }, () => {
        crew.look()
        const { underWay, ...rest } = activity()
        const more = { ...rest, underWay: underWay.slice(0, UNDER_WAY_TOLD) }
        return { role: 'controller', ...member, startedAt, buckets: owned().size, aside: crew.aside(), more }
      })
    },
  }
}

function bringsNews(event: CrawlEvent): boolean {
  return event.kind === 'polled' ? event.result.kind === 'read' : ['pushed', 'found', 'article'].includes(event.kind)
}
