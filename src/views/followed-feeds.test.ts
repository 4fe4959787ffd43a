import { expect, it } from 'vitest'
import type { CountedReading, FeedId, PersonId } from '../model/index.ts'
import type { Readership } from '../ports/index.ts'
import { followedFeeds } from './followed-feeds.ts'

function readershipOf(feeds: number): Pick<Readership, 'readings'> {
  const all = Array.from({ length: feeds }, (_, i) => {
    return { feedId: (i + 1) as FeedId, addedAt: 0, upTo: 0, unread: 0, reads: 0 } as unknown as CountedReading
  })
  return { readings: async (_person, { after = 0, limit }) => all.slice(after, after + limit) }
}

it('all feeds of somebody who follows thousands, page by page', async () => {
  const ids = await followedFeeds(readershipOf(12_345) as Readership, 1 as PersonId)
  expect(ids).toEqual(Array.from({ length: 12_345 }, (_, i) => i + 1))
})
