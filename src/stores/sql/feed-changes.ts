/** Adds and changes feeds and finds them by address. Listing is store-specific; see removals.ts for removal. */
import type { Store } from '../../ports/index.ts'
import type { FeedWriter } from './feed-writer.ts'
import type { SqlSession } from './session.ts'

export function feedChangeMethods(
  session: SqlSession,
  writer: FeedWriter,
): Pick<Store, 'addFeeds' | 'changeFeed' | 'feedAt'> {
  return {
    addFeeds: (feeds) => session.write((tx) => writer.add(tx, feeds)),

    async feedAt(url) {
      return (await session.read((query) => writer.idsAt(query, [url]))).get(url)
    },

    changeFeed(id, change, schedule) {
      return session.write(function* (tx) {
        yield* writer.lockSchedules(tx, [id])
        if (change.url !== undefined) {
          const existing = (yield* writer.idsAt(tx, [change.url])).get(change.url)
          if (existing !== undefined && existing !== id) return false
        }
        return (yield* writer.change(tx, [{ id, change, schedule }])).has(id)
      })
    },
  }
}
