/** What the command line asks, found in a store that lies here. */
import type { EntryShape } from '../api/index.ts'
import type { Entry, EntryId, FeedId, GroupId } from '../model/index.ts'
import {
  budgetInForce,
  copiesOf,
  exportLines,
  feedShape,
  feedsInFolder,
  findEntries,
  goalReport,
  groupsOfEntry,
  hoursOf,
  hubsOf,
  type Narrowed,
  namedEntries,
  namedFinds,
  namedGroup,
  namedGroups,
  namedStatistics,
  roundsOfFeed,
  statusOfStore,
  visibleToUser,
  wholeEntry,
  wholeFeed,
} from '../views/index.ts'
import { InputError } from './addresses.ts'
import type { Config } from './config.ts'
import { readables } from './export-articles.ts'
import { opmlOf } from './export-opml.ts'
import { foldersIn, limitsOf } from './goals.ts'
import { localClient } from './local-key.ts'
import { personMeant } from './person-meant.ts'
import type { EntriesAsked, LinesAsked, Questions } from './questions.ts'
import { readableEntry } from './readable-article.ts'
import { shownStore } from './store-at.ts'
import type { Looking } from './wire.ts'

/** With `--person`, as that user sees it; else everything: who has the file has all of it. */
export async function ownAnswers(whole: Looking, config: Config): Promise<Questions> {
  const opened = config.person === '' ? whole : await asSeen(whole, config)
  const { catalogue, readership, people, clock } = opened
  const limits = limitsOf(config)

  async function feedWith(id: number) {
    const [held] = await catalogue.feedsById([id as FeedId])
    return held && feedShape(held)
  }

  async function narrowedBy(asked: EntriesAsked): Promise<Narrowed> {
    const { feedId, folder, category, language, since, until, unique, limit } = asked
    const inFolder = folder === undefined ? undefined : await folderMeant(folder)
    const feedIds = feedId === undefined ? inFolder : [feedId as FeedId].filter((id) => inFolder?.includes(id) ?? true)
    return {
      ...(feedIds && { feedIds }),
      ...(category !== undefined && { category: category.toLowerCase() }),
      ...(language !== undefined && { language: language.toLowerCase() }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(unique !== 'none' && { unique }),
      limit,
    }
  }

  async function folderMeant(folder: string): Promise<FeedId[]> {
    const ids = await feedsInFolder(folder, opened, await personMeant(config, people))
    if (ids.length > 0) return ids
    throw new InputError(`there is no folder "${folder}"`, 'freshet feeds --json names the folder of each feed')
  }

  /** A page may be short; here nobody asks for the next. */
  async function listed(wanted: Narrowed, { unread, starred }: EntriesAsked): Promise<EntryShape[]> {
    const reader = await personMeant(config, people)
    const marked = { ...(unread && { read: false }), ...(starred && { starred }) }
    const all: Entry[] = []
    for (let after: Parameters<Looking['catalogue']['listEntries']>[0]['after']; ; ) {
      const left = wanted.limit - all.length
      const query = { ...wanted, limit: left, ...(after && { after }) }
      const page =
        unread || starred
          ? await readership.entriesFor(reader, { ...query, ...marked })
          : await catalogue.listEntries(query)
      all.push(...page.entries)
      after = page.goesOnAfter
      if (!after || all.length >= wanted.limit) return namedEntries(all, opened, reader)
    }
  }

  return {
    place: shownStore(config.store),
    isFar: false,
    async feeds(asked) {
      const found = await catalogue.feeds(asked)
      const counts = await catalogue.entryCounts(found.map(({ feed }) => feed.id))
      return found.map((feed, i) => feedShape(feed, undefined, counts[i]))
    },
    feedWith,
    async feedAt(address) {
      const id = await catalogue.feedAt(address)
      return id === undefined ? undefined : feedWith(id)
    },
    async wholeFeed(id, most) {
      const [held] = await catalogue.feedsById([id as FeedId])
      return held && wholeFeed(held, { ...opened, limits }, { most, withCopies: true })
    },
    async rounds(id, limit) {
      const [held] = await catalogue.feedsById([id as FeedId])
      return held && roundsOfFeed(held, catalogue, { limit })
    },
    async entries(asked) {
      const { q, sort = 'relevance' } = asked
      const wanted = await narrowedBy(asked)
      if (q === undefined) return { entries: await listed(wanted, asked) }
      const reader = await personMeant(config, people)
      const typed = [q, ...(asked.unread ? ['is:unread'] : []), ...(asked.starred ? ['is:starred'] : [])].join(' ')
      const found = await findEntries(typed, opened, {
        ...wanted,
        order: sort,
        now: clock.now(),
        reader,
        isCounted: true,
      })
      if ('fault' in found) throw new InputError(found.fault, found.hint)
      return { entries: await namedFinds(found.entries, found.words, opened, reader), hits: found.hits }
    },
    wholeEntry: async (id) => wholeEntry(id as EntryId, opened, await personMeant(config, people)),
    groupsOfEntry: (id) => groupsOfEntry(id as EntryId, opened),
    copiesOf: (id) => copiesOf(id as EntryId, opened),
    groups: (asked) => namedGroups(asked, opened),
    group: (id) => namedGroup(id as GroupId, opened),
    async standing(most) {
      const standing = await statusOfStore(opened, clock.now(), most)
      const url = opened.ownerUrl()
      const client = url === undefined ? undefined : await localClient(config, url)
      const status = await client?.getStatus().catch(() => undefined)
      return { ...standing, ...(status && { activity: status.activity }) }
    },
    counts: () => catalogue.counts(),
    statistics: (since) => namedStatistics(since, opened),
    hubs: () => hubsOf(catalogue, clock.now()),
    goals: async () => {
      const budget = await budgetInForce(opened.marketBook, config.budget)
      return goalReport(opened, { limits, budget, now: clock.now() })
    },
    folders: () => foldersIn(opened),
    lines: (what, asked) => exportLines(what, opened, filterOf(asked)),
    async *hours({ feedId, ...asked }) {
      const reader = asked.folder === undefined ? undefined : await personMeant(config, people)
      const wanted = { ...asked, ...(feedId !== undefined && { feedId: feedId as FeedId }) }
      const found = await hoursOf(wanted, opened, { reader, now: clock.now() })
      if ('fault' in found) throw new InputError(found.fault, found.hint)
      yield* found.hours
    },
    opml: (withPasswords) => opmlOf(opened, withPasswords),
    async readableEntry(id) {
      const [entry] = await catalogue.entriesById([id as EntryId])
      return entry && readableEntry(opened, entry)
    },
    readables: (what, asked) => readables(what, opened, filterOf(asked)),
    close: opened.close,
  }
}

async function asSeen(whole: Looking, config: Config): Promise<Looking> {
  try {
    const { sharedReading } = config
    return await visibleToUser(await personMeant(config, whole.people), { ...whole, sharedReading })
  } catch (error) {
    await whole.close()
    throw error
  }
}

function filterOf({ feedId, ...rest }: LinesAsked) {
  return { ...rest, ...(feedId !== undefined && { feedId: feedId as FeedId }) }
}
