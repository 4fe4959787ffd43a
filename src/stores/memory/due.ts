/** What is due in the memory store, and leases. It looks at everything each time. */
import { bucketOf, type FeedId, type Instant, type Owned, type SourceId } from '../../model/index.ts'
import type { Leased, Store } from '../../ports/index.ts'
import type { DueDates } from '../methods.ts'
import { copyOf } from './copy.ts'
import { handedOut } from './feeds.ts'
import { owns } from './ownership.ts'
import { type HeldFeed, type HeldSource, isUnder, newLease, type State } from './state.ts'

type DueMethods = 'takeDue' | 'takeThese' | 'leases' | 'handBack'

export function dueOf(state: State): Pick<Store, DueMethods> & Pick<DueDates, 'nextPollAt'> {
  const isFree = ({ lease }: HeldFeed | HeldSource, now: Instant) => lease === undefined || lease.until <= now
  const ours = (held: HeldFeed | HeldSource, owned: Owned | undefined) =>
    owns(state, 'feed' in held ? (held.feed.bucket ?? bucketOf(held.feed.root)) : bucketOf(held.source.root), owned)

  function take(feeds: HeldFeed[], sources: HeldSource[], now: Instant, until: Instant) {
    const leased = <Held extends HeldFeed | HeldSource, What>(held: Held, what: What): Leased<What> => {
      held.lease = newLease(state, now, until)
      return { ...what, lease: held.lease.token }
    }
    return {
      feeds: feeds.map((held) => leased(held, handedOut(held))),
      sources: sources.map((held) => leased(held, copyOf(held.source))),
    }
  }

  return {
    async takeDue(now, limit, until, owned) {
      const feeds = [...state.feeds.values()]
        .filter((held) => held.schedule.dueAt <= now && held.feed.state === 'active')
        .filter((held) => isFree(held, now) && ours(held, owned))
        .sort((a, b) => a.schedule.dueAt - b.schedule.dueAt)
      const sources = [...state.sources.values()]
        .filter((held) => held.source.dueAt <= now && held.source.state === 'looking')
        .filter((held) => isFree(held, now) && ours(held, owned))
        .sort((a, b) => a.source.dueAt - b.source.dueAt)
      return take(feeds.slice(0, limit), sources.slice(0, limit), now, until)
    },

    async takeThese(what, now, until) {
      const free = <Held extends HeldFeed | HeldSource>(held: Held | undefined) =>
        held && isFree(held, now) ? [held] : []
      const feeds = [...new Set(what.feeds)].flatMap((id) => free(state.feeds.get(id)))
      const sources = [...new Set(what.sources)].flatMap((id) => free(state.sources.get(id)))
      return take(
        feeds,
        sources.filter(({ source }) => source.state === 'looking'),
        now,
        until,
      )
    },

    async leases(owned) {
      const of = (held: HeldFeed | HeldSource) =>
        held.lease && ours(held, owned) ? [{ lease: held.lease.token, takenAt: held.lease.takenAt }] : []
      const feeds = [...state.feeds.values()].flatMap((held) =>
        of(held).map((lease) => ({ kind: 'feed' as const, id: held.feed.id, ...lease })),
      )
      const sources = [...state.sources.values()].flatMap((held) =>
        of(held).map((lease) => ({ kind: 'source' as const, id: held.source.id, ...lease })),
      )
      return [...feeds, ...sources]
    },

    async handBack(items) {
      for (const item of items) {
        const { kind, id, dueAt, because } = item
        const held = kind === 'feed' ? state.feeds.get(id as FeedId) : state.sources.get(id as SourceId)
        if (!held || !isUnder(held.lease, item.lease)) continue
        delete held.lease
        if (dueAt === undefined) continue
        if ('schedule' in held) Object.assign(held.schedule, { dueAt, ...(because && { because }) })
        else held.source.dueAt = dueAt
      }
    },

    async nextPollAt(owned) {
      let next = Number.POSITIVE_INFINITY
      for (const held of state.feeds.values())
        if (held.feed.state === 'active' && ours(held, owned))
          next = Math.min(next, Math.max(held.schedule.dueAt, held.lease?.until ?? held.schedule.dueAt))
      for (const held of state.sources.values())
        if (held.source.state === 'looking' && ours(held, owned))
          next = Math.min(next, Math.max(held.source.dueAt, held.lease?.until ?? held.source.dueAt))
      return Number.isFinite(next) ? next : undefined
    },
  }
}
