/**
 * One crawl serves everybody who reads: who asks for a feed that is there follows it, and a feed leaves the crawl when the last who
 * followed it has gone, unless it is listed. While there is one user, their titles and folders are those of the crawl, too: wants are said of them.
 */
import { type FeedId, type PersonId, withShortLabels } from '../../model/index.ts'
import type { Catalogue, Clock, Followed, NewReading, People, Readership, Subscriptions } from '../../ports/index.ts'
import type { Address, Crawler, Subscription } from '../crawler.ts'

/** Of a feed that was there already, so many of the newest entries are unread for who comes to it. */
export const UNREAD_AT_FIRST = 30

export interface ReaderParts {
  readership: Readership
  people: People
  catalogue: Catalogue
  subscriptions: Subscriptions
  clock: Clock
}

export type ReaderCommands = Pick<Crawler, 'follow' | 'unsubscribe' | 'editReading'>

/** What became of an address is followed by the title and in the folder that came with it. */
export function readingOf(given: Subscription, { title, folder }: Partial<Address> = {}): NewReading[] {
  if (given.kind === 'refused') return []
  const about = { ...(title && { title }), ...(folder && { folder }) }
  return [given.kind === 'feed' ? { feedId: given.feedId, ...about } : { sourceId: given.sourceId, ...about }]
}

export function createReaderCommands(
  { readership, people, catalogue, subscriptions, clock }: ReaderParts,
  edit: Crawler['edit'],
  removed: () => void,
): ReaderCommands {
  /** Whether nobody wants it any more; then it is gone. */
  async function leave(what: Followed): Promise<void> {
    if ('feedId' in what) {
      const [held] = await catalogue.feedsById([what.feedId])
      if (held && !held.feed.listed) await subscriptions.removeFeed(what.feedId)
      return
    }
    const [source] = await catalogue.sourcesById([what.sourceId])
    if (source?.state === 'looking' && !source.listed) await subscriptions.removeSource(what.sourceId)
  }

  return {
    follow(personId, feedIds) {
      const wanted = feedIds.map((feedId) => ({ feedId }))
      return readership.follow(personId, wanted, clock.now(), UNREAD_AT_FIRST)
    },

    async unsubscribe(personId, what) {
      const left = await readership.unfollow(personId, what)
      for (const [i, { was, others }] of left.entries()) if (was && others === 0) await leave(what[i]!)
      removed()
      return left.map(({ was }) => was)
    },

    async editReading(personId: PersonId, feedId: FeedId, given) {
      const change = withShortLabels(given)
      if (!(await readership.changeReading(personId, feedId, change))) return false
      if ((await people.people()).length <= 1 && (await people.firstPerson()) === personId) {
        const { title, folder } = change
        await edit(feedId, { ...(title && { title }), ...(folder !== undefined && { folder: folder ?? '' }) })
      }
      return true
    },
  }
}
