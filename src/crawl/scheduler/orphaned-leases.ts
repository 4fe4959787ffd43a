/**
 * Tasks whose end nobody will tell, because the crawler was stopped or died while they were out. As far as we know they have
 * been asked for: that counts as a poll does, and they are not sent again at once. Else a crawler that dies and is
 * started again, and again, would ask the same servers the same thing each time.
 */
import { type Feed, type FeedId, type Instant, MINUTE, type Millis } from '../../model/index.ts'
import type { HandedBack, Roles } from '../../ports/index.ts'

/** Ours: long enough for whoever is asked, and short for a person who starts the crawler again and waits for a first poll. */
export const LOST_MS: Millis = 5 * MINUTE

/** A lease that was taken then, and under which nothing will be recorded. */
export type Abandoned = HandedBack & { takenAt: Instant }

/** Ends these leases. A feed is not asked for again sooner than it may be polled twice. */
export async function giveUp(
  leases: Abandoned[],
  { catalogue, agenda }: Pick<Roles, 'catalogue' | 'agenda'>,
  shortestMs: (feed: Feed) => Millis,
  now: Instant,
): Promise<void> {
  const ids = leases.flatMap((lease) => (lease.kind === 'feed' ? [lease.id] : []))
  const soonest = new Map<FeedId, (askedAt: Instant) => Instant>()
  for (const held of await catalogue.feedsById(ids)) {
    if (!held) continue
    const { feed, schedule } = held
    const restMs = Math.max(LOST_MS, shortestMs(feed))
    soonest.set(feed.id, (askedAt) => Math.max(schedule.dueAt, askedAt + restMs))
  }
  await agenda.handBack(
    leases.flatMap((lease): HandedBack[] => {
      const askedAt = Math.min(lease.takenAt, now) // the clock may have been set back
      const dueAt = lease.kind === 'source' ? askedAt + LOST_MS : soonest.get(lease.id)?.(askedAt)
      return dueAt === undefined ? [] : [{ ...lease, dueAt }]
    }),
  )
}
