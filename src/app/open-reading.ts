/**
 * What somebody, mostly the first person, has read, starred and saved, for the command line: in the store itself, or through the API of the crawl that
 * owns it; or, at a server elsewhere, what is of who logged in there. Whoever asks need not know which.
 */
import { type Client, ClientError } from '../client/index.ts'
import type { ChangeId, EntryId, FeedId, Instant, SavedSearchId } from '../model/index.ts'
import { parseQuery, StoreError } from '../ports/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { localClient } from './local-key.ts'
import { personMeant } from './person-meant.ts'
import { serverMeant } from './server-client.ts'
import { type OpenStore, openForReading, openStoreThere } from './wire.ts'

export type MarkWord = 'read' | 'unread' | 'starred' | 'unstarred'

export interface ReadingScopeGiven {
  feedId?: FeedId
  folder?: string
  /** Only what is dated before it. */
  before?: Instant
}

export interface SearchGiven {
  id: number
  name: string
  query: string
}

export interface OpenReading {
  /** Those that were not so before, and what it can be taken back by. */
  mark(ids: EntryId[], as: MarkWord): Promise<{ changed: number[]; change?: number | undefined }>
  markAllRead(scope: ReadingScopeGiven): Promise<{ marked: number; change: number }>
  takeBack(change: number): Promise<number>
  searches(): Promise<SearchGiven[]>
  /** In place of one of the same name. */
  saveSearch(name: string, query: string): Promise<void>
  removeSearch(id: number): Promise<void>
  close(): Promise<void>
}

/** `look`: nothing will be changed, so a store that may only be read will do. */
export async function openReading(config: Config, how: 'look' | 'change'): Promise<OpenReading> {
  const far = await serverMeant(config)
  if (far) return remoteReading(far.client)
  try {
    return await ownReading(await (how === 'look' ? openForReading : openStoreThere)(config), config)
  } catch (error) {
    if (error instanceof StoreError && error.trouble === 'in-use' && error.ownerUrl)
      return remoteReading(await localClient(config, error.ownerUrl))
    throw error
  }
}

async function ownReading(opened: OpenStore, config: Config): Promise<OpenReading> {
  const { people, readership, handouts, clock, close } = opened
  const person = await personMeant(config, people).catch(async (error) => {
    await close()
    throw error
  })
  return {
    async mark(ids, as) {
      if (as === 'read' || as === 'unread') return readership.mark(person, ids, as, clock.now())
      return { changed: await readership.star(person, ids, as === 'starred', clock.now()) }
    },
    markAllRead: ({ feedId, folder, before }) =>
      readership.markAllRead(
        person,
        { ...(feedId !== undefined && { feedIds: [feedId] }), ...(folder !== undefined && { folder }) },
        before === undefined ? undefined : { datedBefore: before },
      ),
    takeBack: (change) => readership.takeBack(person, change as ChangeId),
    searches: () => handouts.savedSearches(person),
    async saveSearch(name, query) {
      const parsed = parseQuery(query, clock.now())
      if ('fault' in parsed) throw new InputError(parsed.fault, parsed.hint)
      const id = await handouts.addSavedSearch({ personId: person, name, query, addedAt: clock.now() })
      if (id !== undefined) return
      const there = (await handouts.savedSearches(person)).find((one) => isNamed(one, name))
      if (there) await handouts.changeSavedSearch(person, there.id, { query })
    },
    removeSearch: async (id) => void (await handouts.removeSavedSearch(person, id as SavedSearchId)),
    close,
  }
}

function remoteReading(client: Client): OpenReading {
  const searches = async () => (await client.listSearches()).searches
  return {
    mark: (entries, as) => client.markEntries({ body: { entries, as } }),
    markAllRead: ({ feedId, folder, before }) =>
      client.markAllRead({
        body: {
          ...(feedId !== undefined && { feed: feedId }),
          ...(folder !== undefined && { folder }),
          ...(before !== undefined && { datedBefore: new Date(before).toISOString() }),
        },
      }),
    takeBack: async (change) => (await client.undoMarks({ body: { change } })).changed,
    searches,
    async saveSearch(name, query) {
      const there = (await searches()).find((one) => isNamed(one, name))
      await explained(
        there
          ? client.editSearch({ params: { id: there.id }, body: { query } })
          : client.addSearch({ body: { name, query } }),
      )
    },
    removeSearch: async (id) => void (await client.removeSearch({ params: { id } })),
    close: async () => {},
  }
}

function isNamed(search: { name: string }, name: string): boolean {
  return search.name.toLowerCase() === name.toLowerCase()
}

/** What cannot be searched for is told like any other input that makes no sense. */
async function explained(asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (error instanceof ClientError && error.status === 400) throw new InputError(error.problem ?? '', error.hint)
    throw error
  }
}
