/**
 * The contract of store-migration.ts as a test suite for each pair of stores: `migrationContract('sqlite to postgres', { from, to })`. Both
 * return an empty store with its migration. The source is filled with data of every kind through its own methods, so that a kind that is
 * not migrated is detected.
 */
import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type EntryId, type FeedId, type SavedSearchId, type SiteRobots, type UserId } from '../model/index.ts'
import { articleOf, rawPage, readArticle, sameArticle, want } from './article-samples.contract.ts'
import { joined, placed, say } from './group-samples.contract.ts'
import { ALL_FEEDS, type Store } from './index.ts'
import { type ExportedRow, KEY_COLUMN_COUNTS, ROW_KINDS, type RowKind, type StoreMigration } from './store-migration.ts'
import {
  A_MARKET,
  addFeed,
  addSource,
  all,
  draft,
  failedRecord,
  newFeed,
  record,
  START,
  unchangedRecord,
} from './store-samples.contract.ts'

export interface OpenedMigration {
  store: Store
  migration: StoreMigration
}

export function migrationContract(
  name: string,
  open: { from(): Promise<OpenedMigration>; to(): Promise<OpenedMigration> },
  /** Kinds that are not migrated, and whether texts and pages are compressed differently afterwards. */
  { without = [], packedAnew = false }: { without?: readonly RowKind[]; packedAnew?: boolean } = {},
): void {
  describe(`store migration from ${name}`, () => {
    const promised = (sentence: string, hold: (from: OpenedMigration, to: OpenedMigration) => Promise<void>) =>
      it(sentence, async () => {
        const [from, to] = [await open.from(), await open.to()]
        try {
          await hold(from, to)
        } finally {
          await from.store.close()
          await to.store.close()
        }
      })

    promised('migrates everything in batches, despite interruptions', async (from, to) => {
      await fill(from.store)
      for (const kind of ROW_KINDS)
        if (!without.includes(kind)) expect(await from.migration.size(kind), kind).toBeGreaterThan(0)
      for (let chunks = 0; chunks < 7; chunks++) await carry(from.migration, to.migration, 3) // and is interrupted
      await carry(from.migration, to.migration)
      for (const kind of ROW_KINDS) {
        const rows = await everything(to.migration, kind)
        expect(rows, kind).toEqual(await everything(from.migration, kind))
        expect(rows.length, kind).toBe(await to.migration.size(kind))
      }
      await to.migration.finish(await from.migration.lastIds())
      await expectAlike(from.store, to.store, packedAnew)
    })

    promised('continues with new ids and known keys after the migration', async (from, to) => {
      const { feedId, lastFeed } = await fill(from.store)
      const newest = Math.max(...(await all(from.store.everyEntry({}))).map(({ id }) => id))
      await carry(from.migration, to.migration)
      await to.migration.finish(await from.migration.lastIds())
      const fresh = [draft('a'), draft('forgotten'), draft(KNOWN_BY_ADDRESS), draft('later')]
      expect(await to.store.recordPolls([record(feedId, START + DAY, { fresh })])).toEqual(['recorded'])
      const after = await to.store.newestEntryId()
      expect(after).toBeGreaterThan(newest)
      const keys = (await all(to.store.everyEntry({ feedId }))).filter(({ id }) => id > newest).map(({ key }) => key)
      expect(keys).toEqual(['later'])
      expect(await addFeed(to.store, 'later')).toBeGreaterThan(lastFeed)
      const waiting: EntryId[] = []
      for (let marks = (await to.store.unindexed(50)).positions; marks.length > 0; ) {
        const { changes, positions: some } = await to.store.unindexed(50)
        waiting.push(...changes.map(({ id }) => id))
        await to.store.markIndexed(some)
        marks = (await to.store.unindexed(1)).positions
      }
      const ids = (await all(to.store.everyEntry({}))).map(({ id }) => id)
      expect(waiting).toEqual(expect.arrayContaining(ids))
      for (let swept = 1; swept > 0; ) swept = await to.store.sweepRemoved(100)
      expect(await to.migration.size('removals')).toBe(0)
    })

    promised('fills only empty stores, and continues only with the same source', async (from, to) => {
      await fill(from.store)
      await expect(from.migration.begin('elsewhere')).rejects.toMatchObject({ kind: 'in-use' })
      expect(await to.migration.begin('one')).toEqual(new Map())
      const { rows, after } = await from.migration.readRows('feeds', undefined, 1)
      await to.migration.writeRows('feeds', rows, after ?? null)
      expect(await to.migration.begin('one')).toEqual(new Map([['feeds', after]]))
      await expect(to.migration.begin('another')).rejects.toMatchObject({ kind: 'in-use' })
      await expect(to.migration.writeRows('feeds', rows, null)).rejects.toThrow() // they exist already
      expect(await to.migration.begin('one')).toEqual(new Map([['feeds', after]]))
    })
  })
}

/** Migrates this many batches, or the rest. */
async function carry(from: StoreMigration, to: StoreMigration, most = Number.POSITIVE_INFINITY): Promise<void> {
  const reached = await to.begin(from.name)
  let chunks = 0
  for (const kind of ROW_KINDS) {
    let after = reached.get(kind)
    while (after !== null) {
      if (chunks++ >= most) return
      const chunk = await from.readRows(kind, after, 4)
      after = chunk.after ?? null
      await to.writeRows(kind, chunk.rows, after)
    }
  }
}

/** Sorted independently of how a store compares texts. */
async function everything(migration: StoreMigration, kind: RowKind): Promise<ExportedRow[]> {
  const found: ExportedRow[] = []
  for (let after: string | undefined; ; ) {
    const chunk = await migration.readRows(kind, after, 7)
    found.push(
      ...chunk.rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value)) as never),
    )
    after = chunk.after
    if (after === undefined) break
  }
  const keyOf = (row: ExportedRow) => JSON.stringify(row.slice(0, KEY_COLUMN_COUNTS[kind] ?? 1))
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

async function expectAlike(one: Store, other: Store, packedAnew: boolean): Promise<void> {
  const seen = async (store: Store) => {
    const { bytes: _, waiting, ...counts } = await store.counts()
    if (packedAnew) counts.articles = { ...counts.articles, pageBytes: 0, textBytes: 0 }
    const entries = await all(store.everyEntry({}))
    const ids = entries.map(({ id }) => id)
    const articles = await store.articlesOfEntries(ids)
    const pages = await Promise.all(articles.map((article) => article && store.rawPage(article.id)))
    return {
      counts,
      unplaced: waiting.groups,
      feeds: await all(store.everyFeed()),
      entries,
      versions: await Promise.all(ids.map((id) => store.versions(id))),
      polls: await all(store.everyPoll({})),
      sources: await store.sources({ limit: 99 }),
      articles,
      texts: await store.articleTexts(articles.flatMap((article) => article?.id ?? [])),
      pages: pages.map((page) => page && { ...page, body: [...page.body] }),
      dueArticleAt: (await store.nextDue()).articleAt,
      groups: await store.groupsOfEntries(ids, 'copy'),
      members: await store.membersById(ids, 'copy'),
      moves: await Promise.all(ids.map((id) => store.moves(id))),
      people: await store.allUsers(),
      subscriptions: await Promise.all(
        (await store.allUsers()).map(({ id }) => store.subscriptionsOf(id, { limit: 9 })),
      ),
      marks: await Promise.all((await store.allUsers()).map(({ id }) => store.entryStates(id, ids))),
      searches: await Promise.all((await store.allUsers()).map(({ id }) => store.sharedItems('search', id))),
      userValues: await all(store.everyUserValue('playback')),
      pushes: await all(store.everyHubSubscription()),
      folders: (await store.pollSettings()).folderGoals,
      market: await store.market(),
      userBudget: (await store.pollSettings()).pollsPerDay,
      hosts: await store.hosts(),
    }
  }
  expect(await seen(other)).toEqual(await seen(one))
}

const KNOWN_BY_ADDRESS = 'https://a.example/1'

/** Data of every kind. */
async function fill(store: Store): Promise<{ feedId: FeedId; lastFeed: FeedId }> {
  const feedId = await addFeed(store, 'f', { folder: 'News', name: 'Mine', credentials: { user: 'u', password: 'p' } })
  const large = await addFeed(store, 'large')
  await addSource(store, 's', { folder: 'News' })
  await store.recordPolls([record(feedId, START - 9, { fresh: [draft('forgotten')] })])
  await store.forget('entries', START - 5, 9)
  const [a, b, c, d] = await say(store, feedId, 'a', 'b', 'c', 'd')
  await store.recordPolls([
    record(feedId, START + 50, {
      fresh: [
        draft('NUL\0inside \u{1f511}', { tags: ['sea'], content: 'x'.repeat(9000), dateOnly: true }),
        draft(KNOWN_BY_ADDRESS, { url: KNOWN_BY_ADDRESS }),
      ],
      changed: [draft('a', { title: 'a anew', publishedAt: START - 99 })],
    }),
    failedRecord(feedId, START + 60),
  ])
  const quiet = Array.from({ length: 70 }, (_, i) => unchangedRecord(feedId, START + 61 + i, { tookMs: i }))
  await store.recordPolls(quiet) // a closed run and an open one
  await store.compressEntries(START + 60, 9)
  await recordArticlesOf(store, [a, b, c])
  await store.recordGroups(
    [placed(a), placed(b, { copy: joined(a) }), placed(c), placed(d, { copy: joined(c), story: joined(a) })],
    (await store.ungrouped(3)).positions,
    START,
    [{ feedId: ALL_FEEDS, memory: Uint8Array.of(1, 0, 255) }],
  )
  await store.recordGroups([placed(b, { copy: joined(d) })], [], START + 1)
  await recordHosts(store, feedId)
  const ada = (await store.addUser({ name: 'Ada', scope: 'admin', addedAt: START, password: 'h' })) as UserId
  const pass = { userId: ada, kind: 'token', name: 'reader', scope: 'read', addedAt: START } as const
  await store.addCredential(pass, new Uint8Array(32).fill(7))
  await recordReadState(store, ada, feedId, [a, b])
  await store.changePollSettings({ folder: 'News', goals: { goalMs: 600_000 } })
  await store.recordMarket({ ...A_MARKET, price: 17.5 })
  await store.changePollSettings({ pollsPerDay: 720 })
  await store.recordRun({ beganAt: START, lastAt: START + 9 })
  const fresh = Array.from({ length: 90 }, (_, i) => draft(`l${i}`))
  await store.recordPolls([record(large, START + 70, { fresh })])
  await store.removeFeed(large)
  const [{ id: lastFeed } = { id: feedId }] = await store.addFeeds([newFeed('last')])
  await store.removeFeed(lastFeed)
  return { feedId, lastFeed }
}

/** User data, and what remains of removed user data. */
async function recordReadState(store: Store, ada: UserId, feedId: FeedId, entries: EntryId[]): Promise<void> {
  const [left, sourceId] = [await addFeed(store, 'left'), await addSource(store, 'waited')]
  const many = Array.from({ length: 510 }, (_, i) => draft(`m${i}`))
  await store.recordPolls([record(left, START + 80, { fresh: many })])
  await store.follow(ada, [{ feedId, folder: 'Sea' }, { feedId: left }, { sourceId, title: 'Soon' }], START, 999)
  await store.markEntries(ada, entries, 'read', START + 1)
  const ids = (await all(store.everyEntry({ feedId: left }))).map(({ id }) => id)
  await store.markEntries(ada, ids, 'read', START + 2)
  await store.starEntries(ada, entries, true, START)
  await store.labelEntries(ada, entries, { add: ['Harbor', 'Sea'] }, START)
  await store.muteEntries(ada, [entries[0]!], true, START)
  await store.unfollow(ada, [{ feedId: left }])
  const query = { userId: ada, name: 'Flood', query: 'flood', addedAt: START }
  const searchId = (await store.addSharedItem('search', query)) as SavedSearchId
  const feedOut = { userId: ada, name: 'All', of: { kind: 'all' }, text: 'full', key: 'k', addedAt: START } as const
  await store.addSharedItem('feedOut', feedOut)
  const hook = { name: 'desk', url: 'https://d.example/', secret: 's', state: 'active', dueAt: START } as const
  await store.addSharedItem('webhook', { userId: ada, searchId, addedAt: START, cursor: entries[0]!, ...hook })
  await store.putUserValues(ada, 'playback', [{ key: `${entries[0]}`, value: { seconds: 7 } }], START)
  const bob = (await store.addUser({ name: 'Bob', scope: 'read', addedAt: START, password: 'h' })) as UserId
  await store.follow(bob, [{ feedId }], START, 9)
  await store.starEntries(bob, ids, true, START)
  await store.removeUser(bob)
}

async function recordArticlesOf(store: Store, [a, b, c]: [EntryId, EntryId, EntryId]): Promise<void> {
  await store.queueArticles([want(a, 'x', 'a'), want(b, 'x', 'b'), want(c, 'y', 'c')], START)
  const [ofA, ofB] = [await articleOf(store, a), await articleOf(store, b)]
  const body = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join(''))
  await store.recordArticles([readArticle(ofA.id, START + 5, { page: { ...rawPage(START + 5, ''), body } })])
  await store.recordArticles([sameArticle(ofB.id, START + 6, ofA.id)])
}

async function recordHosts(store: Store, feedId: FeedId): Promise<void> {
  await store.recordSites({
    hosts: [{ root: 'f.example', notBeforeAt: START + 5, strikes: 2, trouble: { kind: 'timeout' } }],
  })
  const origin = address('https://f.example')
  const robots: SiteRobots['record'] = { found: 'none', robots: { rules: [] }, fetchedAt: START, until: START + DAY }
  await store.recordSites({ robots: { sites: [{ origin, root: 'f.example', record: robots }], maxBytesPerRoot: 9999 } })
  await store.recordSites({
    failedProbes: { found: [{ url: address('https://f.example/rss'), host: 'f.example', at: START }], keepSince: 0 },
  })
  const url = address('https://hub.example/')
  const push = {
    feedId,
    hub: url,
    topic: url,
    secret: 's',
    state: 'active',
    dueAt: START,
    failures: 0,
    pushes: 1,
  } as const
  await store.recordHubSubscriptions([{ ...push, token: 't' }])
}
