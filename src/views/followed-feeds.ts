/** The feeds that somebody follows, by their ids: all, or those in a folder. */
import type { FeedId, PersonId } from '../model/index.ts'
import type { Readership, Roles } from '../ports/index.ts'

/** Readings that are asked for at once. */
const PAGE = 1000

export async function followedFeeds(readership: Readership, personId: PersonId, folder?: string): Promise<FeedId[]> {
  const ids: FeedId[] = []
  for (;;) {
    const last = ids.at(-1)
    const page = await readership.readings(personId, {
      ...(folder !== undefined && { folder }),
      ...(last !== undefined && { after: last }),
      limit: PAGE,
    })
    for (const { feedId } of page) ids.push(feedId)
    if (page.length < PAGE) return ids
  }
}

/** A reader's folder, else the crawl's. */
export async function feedsInFolder(
  folder: string,
  { catalogue, readership }: Pick<Roles, 'catalogue' | 'readership'>,
  reader: PersonId | undefined,
): Promise<FeedId[]> {
  return reader === undefined ? catalogue.feedIds({ folder }) : followedFeeds(readership, reader, folder)
}
