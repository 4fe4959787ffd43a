import { expect, it } from 'vitest'
import type { FeedId, SubscriptionWithUnread, UserId } from '../model/index.ts'
import type { ReaderState } from '../ports/index.ts'
import { followedFeedIds } from './followed-feeds.ts'

function readerStateOf(feeds: number): Pick<ReaderState, 'subscriptionsOf'> {
  const all = Array.from({ length: feeds }, (_, i) => {
    return { feedId: (i + 1) as FeedId, addedAt: 0, upTo: 0, unread: 0, reads: 0 } as unknown as SubscriptionWithUnread
  })
  return { subscriptionsOf: async (_person, { after = 0, limit }) => all.slice(after, after + limit) }
}

it('reads all feeds of a user who follows thousands, page by page', async () => {
  const ids = await followedFeedIds(readerStateOf(12_345) as ReaderState, 1 as UserId)
  expect(ids).toEqual(Array.from({ length: 12_345 }, (_, i) => i + 1))
})
