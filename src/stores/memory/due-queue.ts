/** Due feeds and sources of the memory store, and their leases. Every call scans all feeds and sources. */
import { bucketOf, type FeedId, type Instant, type Owned, type SourceId } from '../../model/index.ts'
import type { Leased, Store } from '../../ports/index.ts'
import type { DueDates, LeaseMethods } from '../methods.ts'
import { copyOf } from './copy.ts'
import { scheduledFeedOf } from './feeds.ts'
import { owns } from './ownership.ts'
import { holdsLease, type MemoryFeed, type MemorySource, newLease, type State } from './state.ts'

type DueMethods = Pick<Store, 'leaseDue' | 'leaseThese'> &
  Pick<LeaseMethods, 'itemLeases' | 'releaseItemLeases'> &
  Pick<DueDates, 'nextPollAt'>

export function dueQueueOf(state: State): DueMethods {
  const isFree = ({ lease }: MemoryFeed | MemorySource, now: Instant) => lease === undefined || lease.until <= now
  const isOwned = (stored: MemoryFeed | MemorySource, owned: Owned | undefined) =>
    owns(
      state,
      'feed' in stored ? (stored.feed.bucket ?? bucketOf(stored.feed.root)) : bucketOf(stored.source.root),
      owned,
    )

  function take(feeds: MemoryFeed[], sources: MemorySource[], now: Instant, until: Instant) {
    const leased = <Held extends MemoryFeed | MemorySource, What>(stored: Held, what: What): Leased<What> => {
      stored.lease = newLease(state, now, until)
      return { ...what, lease: stored.lease.token }
    }
    return {
      feeds: feeds.map((stored) => leased(stored, scheduledFeedOf(stored))),
      sources: sources.map((stored) => leased(stored, copyOf(stored.source))),
    }
  }

  return {
    async leaseDue(now, limit, until, owned) {
      const feeds = [...state.feeds.values()]
        .filter((stored) => stored.schedule.dueAt <= now && stored.feed.state === 'active')
        .filter((stored) => isFree(stored, now) && isOwned(stored, owned))
        .sort((a, b) => a.schedule.dueAt - b.schedule.dueAt)
      const sources = [...state.sources.values()]
        .filter((stored) => stored.source.dueAt <= now && stored.source.state === 'looking')
        .filter((stored) => isFree(stored, now) && isOwned(stored, owned))
        .sort((a, b) => a.source.dueAt - b.source.dueAt)
      return take(feeds.slice(0, limit), sources.slice(0, limit), now, until)
    },

    async leaseThese(what, now, until) {
      const free = <Held extends MemoryFeed | MemorySource>(stored: Held | undefined) =>
        stored && isFree(stored, now) ? [stored] : []
      const feeds = [...new Set(what.feeds)].flatMap((id) => free(state.feeds.get(id)))
      const sources = [...new Set(what.sources)].flatMap((id) => free(state.sources.get(id)))
      return take(
        feeds,
        sources.filter(({ source }) => source.state === 'looking'),
        now,
        until,
      )
    },

    async itemLeases(owned) {
      const leasesOf = (stored: MemoryFeed | MemorySource) =>
        stored.lease && isOwned(stored, owned) ? [{ lease: stored.lease.token, leasedAt: stored.lease.takenAt }] : []
      const feeds = [...state.feeds.values()].flatMap((stored) =>
        leasesOf(stored).map((lease) => ({ kind: 'feed' as const, id: stored.feed.id, ...lease })),
      )
      const sources = [...state.sources.values()].flatMap((stored) =>
        leasesOf(stored).map((lease) => ({ kind: 'source' as const, id: stored.source.id, ...lease })),
      )
      return [...feeds, ...sources]
    },

    async releaseItemLeases(items) {
      for (const item of items) {
        const { kind, id, dueAt, because } = item
        const stored = kind === 'feed' ? state.feeds.get(id as FeedId) : state.sources.get(id as SourceId)
        if (!stored || !holdsLease(stored.lease, item.lease)) continue
        delete stored.lease
        if (dueAt === undefined) continue
        if ('schedule' in stored) Object.assign(stored.schedule, { dueAt, ...(because && { because }) })
        else stored.source.dueAt = dueAt
      }
    },

    async nextPollAt(owned) {
      let next = Number.POSITIVE_INFINITY
      for (const stored of state.feeds.values())
        if (stored.feed.state === 'active' && isOwned(stored, owned))
          next = Math.min(next, Math.max(stored.schedule.dueAt, stored.lease?.until ?? stored.schedule.dueAt))
      for (const stored of state.sources.values())
        if (stored.source.state === 'looking' && isOwned(stored, owned))
          next = Math.min(next, Math.max(stored.source.dueAt, stored.lease?.until ?? stored.source.dueAt))
      return Number.isFinite(next) ? next : undefined
    },
  }
}
