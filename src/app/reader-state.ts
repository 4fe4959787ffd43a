/** Read state, stars, labels, rules, destinations and saved searches for the command line: of `--user`, the first account, or the logged-in user of a remote server. */
import type { RuleInput } from '../api/index.ts'
import { type Client, ClientError } from '../client/index.ts'
import type { EntryId, FeedId, Instant } from '../model/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { mapErrors } from './map-errors.ts'
import { type OpenedClient, openClient } from './open-client.ts'

export type ReaderCommands = ReturnType<typeof createReaderState>

export type EntryStateChange = Parameters<Client['markEntries']>[0]['body']['as']

/** The mode `read` allows no changes. */
export async function openReaderState(config: Config, mode: 'read' | 'write'): Promise<ReaderCommands> {
  const opened = await openClient(config, mode)
  return mapErrors(createReaderState(opened), opened.explain)
}

function createReaderState({ client, close }: OpenedClient) {
  const searches = async () => (await client.listSearches()).searches
  return {
    /** Returns the changed entries, and a number to undo the change. */
    mark: (entries: EntryId[], as: EntryStateChange) => client.markEntries({ body: { entries, as } }),
    /** `before`: the date of entries. */
    markAllRead: ({ feedId, folder, before }: { feedId?: FeedId; folder?: string; before?: Instant }) =>
      client.markAllRead({
        body: {
          ...(feedId !== undefined && { feed: feedId }),
          ...(folder !== undefined && { folder }),
          ...(before !== undefined && { datedBefore: new Date(before).toISOString() }),
        },
      }),
    undo: async (change: number) => (await client.undoMarks({ body: { change } })).changed,
    labels: async () => (await client.listLabels()).labels,
    /** Returns the changed entries. */
    labelEntries: async (entries: EntryId[], change: { add?: string[]; remove?: string[] }) =>
      (await client.labelEntries({ body: { entries, ...change } })).changed,
    renameLabel: async (label: string, name: string) =>
      client.renameLabel({ params: { label }, body: { name } }).catch(explainUnknownLabel),
    removeLabel: async (label: string) => client.removeLabel({ params: { label } }).catch(explainUnknownLabel),
    rules: async () => (await client.listRules()).rules,
    addRule: (rule: RuleInput) => client.addRule({ body: rule }),
    replaceRules: async (rules: RuleInput[]) => (await client.replaceRules({ body: { rules } })).rules,
    removeRule: async (id: string) => void (await client.removeRule({ params: { id } })),
    previewRule: (rule: Pick<RuleInput, 'query' | 'scope'>) => client.previewRule({ body: rule }),
    /** Applies a rule to the next old entries, newest first. */
    applyRule: (id: string, before: number | undefined) =>
      client.applyRule({ params: { id }, body: before === undefined ? {} : { before } }),
    destinations: () => client.listDestinations(),
    addDestination: (destination: Parameters<Client['addDestination']>[0]['body']) =>
      client.addDestination({ body: destination }),
    removeDestination: async (id: string) => void (await client.removeDestination({ params: { id } })),
    testDestination: (id: string) => client.testDestination({ params: { id } }),
    send: (id: EntryId, destination: string) => client.sendEntry({ params: { id }, body: { destination } }),
    sends: async () => (await client.listSends()).sends,
    removeSend: async (id: string) => void (await client.removeSend({ params: { id } })),
    searches,
    /** Replaces a search of the same name. */
    async saveSearch(name: string, query: string): Promise<void> {
      const existing = (await searches()).find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (existing) await client.editSearch({ params: { id: existing.id }, body: { query } })
      else await client.addSearch({ body: { name, query } })
    },
    removeSearch: async (id: number) => void (await client.removeSearch({ params: { id } })),
    close,
  }
}

/** The server's hint names its API. */
function explainUnknownLabel(error: unknown): never {
  const isUnknown = error instanceof ClientError && error.status === 404
  throw isUnknown ? new InputError(error.message, 'freshet label list shows all') : error
}
