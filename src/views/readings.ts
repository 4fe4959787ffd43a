/** What somebody follows, with what is known of the feeds. */
import type { FollowedShape, WaitingShape } from '../api/index.ts'
import type { CountedReading, WaitingReading } from '../model/index.ts'
import type { Roles } from '../ports/index.ts'
import { iso, present } from './shapes/present.ts'

/** Feeds that went meanwhile are left out. */
export async function followedShapes(
  readings: CountedReading[],
  { catalogue, readership }: Pick<Roles, 'catalogue' | 'readership'>,
): Promise<FollowedShape[]> {
  const ids = readings.map(({ feedId }) => feedId)
  const [feeds, readers] = await Promise.all([
    catalogue.feedsById(ids),
    readership.readersOf(ids.map((feedId) => ({ feedId }))),
  ])
  return readings.flatMap(({ feedId, title, folder, unread, addedAt }, i) => {
    const held = feeds[i]
    if (!held) return []
    const { feed, schedule } = held
    return [
      {
        feedId,
        title: title || feed.title || feed.url,
        ...present({ ownTitle: title, folder }),
        unread,
        addedAt: iso(addedAt),
        url: feed.url,
        ...present({ siteUrl: feed.siteUrl, language: feed.language }),
        state: feed.state,
        ...(schedule.trouble && { troubled: true as const }),
        readers: readers[i] ?? 0,
      },
    ]
  })
}

export async function waitingShapes(
  waiting: WaitingReading[],
  { catalogue }: Pick<Roles, 'catalogue'>,
): Promise<WaitingShape[]> {
  const sources = await catalogue.sourcesById(waiting.map(({ sourceId }) => sourceId))
  return waiting.flatMap(({ sourceId, title, folder, addedAt }, i) => {
    const source = sources[i]
    return source ? [{ sourceId, url: source.url, ...present({ title, folder }), addedAt: iso(addedAt) }] : []
  })
}
