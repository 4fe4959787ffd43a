/** Keeps addresses and names of feeds unique. */
import type { Feed, FeedId } from '../../model/index.ts'
import type { Dialect } from './dialect.ts'
import type { SqlReader, SqlWork } from './session.ts'

export interface UniqueFeeds {
  idsAt(query: SqlReader, urls: readonly string[]): SqlWork<Map<string, FeedId>>
  /** Drops names that another feed has, including earlier feeds of this batch. */
  withOwnNames<Named extends Omit<Feed, 'id'> & { id?: FeedId }>(query: SqlReader, feeds: Named[]): SqlWork<Named[]>
  /** Gives feeds whose new address another feed has their old address and root back. Returns the feeds that move. */
  leaveTakenAddresses(
    query: SqlReader,
    after: { feed: Feed }[],
    before: ReadonlyMap<FeedId, { feed: Feed }>,
  ): SqlWork<Feed[]>
}

export function createUniqueFeeds(dialect: Dialect): UniqueFeeds {
  const urlKey = dialect.textKey('url')
  const selectByUrl = `SELECT f.id, f.url FROM given g, feeds f WHERE f.${urlKey.column} = g.${urlKey.column}`
  const selectByName = `SELECT f.id, f.name FROM given g, feeds f WHERE ${dialect.digest('f.name')} = ${dialect.digest('g.name')}`

  function* idsAt(query: SqlReader, urls: readonly string[]): SqlWork<Map<string, FeedId>> {
    const rows = yield* query.each<{ id: FeedId; url: string }>(
      selectByUrl,
      [urlKey.typed],
      urls.map((url) => [urlKey.keyOf(url)]),
    )
    return new Map(rows.map(({ id, url }) => [url, id]))
  }

  function* withOwnNames<Named extends Omit<Feed, 'id'> & { id?: FeedId }>(
    query: SqlReader,
    feeds: Named[],
  ): SqlWork<Named[]> {
    const names = feeds.flatMap(({ name }) => name ?? [])
    if (names.length === 0) return feeds
    const rows = yield* query.each<{ id: FeedId; name: string }>(
      selectByName,
      ['name text'],
      names.map((name) => [name]),
    )
    const idByName = new Map<string, FeedId | 0>(rows.map(({ id, name }) => [name, id]))
    return feeds.map((feed) => {
      const { name, ...unnamed } = feed
      if (name === undefined) return feed
      const nameOwner = idByName.get(name)
      if (nameOwner !== undefined && nameOwner !== feed.id) return unnamed as Named
      idByName.set(name, feed.id ?? 0)
      return feed
    })
  }

  function* leaveTakenAddresses(
    query: SqlReader,
    after: { feed: Feed }[],
    before: ReadonlyMap<FeedId, { feed: Feed }>,
  ): SqlWork<Feed[]> {
    const moving = after.map(({ feed }) => feed).filter(({ id, url }) => url !== before.get(id)!.feed.url)
    if (moving.length === 0) return []
    const owners = yield* idsAt(
      query,
      moving.map(({ url }) => url),
    )
    return moving.filter((feed) => {
      if (!owners.has(feed.url)) return owners.set(feed.url, feed.id)
      const { url, root } = before.get(feed.id)!.feed
      Object.assign(feed, { url, root })
      return false
    })
  }

  return { idsAt, withOwnNames, leaveTakenAddresses }
}
