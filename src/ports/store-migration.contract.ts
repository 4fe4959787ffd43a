/**
 * Every promise that ferry.ts makes, as a suite for each way between two stores: `ferryContract('sqlite to postgres', { from, to })`.
 * Both give an empty store with its ferry each time. A store is filled with something of every kind through its own methods, so that a kind
 * of which nothing is carried over is noticed.
 */
import { describe, expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { DAY, type EntryId, type FeedId, type PersonId, type SavedSearchId, type SiteRobots } from '../model/index.ts'
import { articleOf, rawPage, readArticle, sameArticle, want } from './article-samples.contract.ts'
import { joined, placed, say } from './group-samples.contract.ts'
import { ALL_FEEDS, type Store } from './index.ts'
import { CARGO_KEYS, CARGO_KINDS, type CargoKind, type CargoRow, type Ferry } from './store-migration.ts'
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

export interface Ferried {
  store: Store
  ferry: Ferry
}

export function ferryContract(
  name: string,
  open: { from(): Promise<Ferried>; to(): Promise<Ferried> },
  /** Kinds of which nothing is carried, and whether texts and pages are packed another way afterwards. */
  { without = [], packedAnew = false }: { without?: readonly CargoKind[]; packedAnew?: boolean } = {},
): void {
  describe(`the ferry from ${name}`, () => {
    const promised = (sentence: string, hold: (from: Ferried, to: Ferried) => Promise<void>) =>
      it(sentence, async () => {
        const [from, to] = [await open.from(), await open.to()]
        try {
          await hold(from, to)
        } finally {
          await from.store.close()
          await to.store.close()
        }
      })

    promised('carries over everything, in bites, whenever it is interrupted', async (from, to) => {
      await fill(from.store)
      for (const kind of CARGO_KINDS)
        if (!without.includes(kind)) expect(await from.ferry.size(kind), kind).toBeGreaterThan(0)
      for (let bites = 0; bites < 7; bites++) await carry(from.ferry, to.ferry, 3) // and then somebody interrupts it
      await carry(from.ferry, to.ferry)
      for (const kind of CARGO_KINDS) {
        const rows = await everything(to.ferry, kind)
        expect(rows, kind).toEqual(await everything(from.ferry, kind))
        expect(rows.length, kind).toBe(await to.ferry.size(kind))
      }
      await to.ferry.finish(await from.ferry.lastIds())
      await expectAlike(from.store, to.store, packedAnew)
    })

    promised('goes on from there: no id is given twice, and no key is news', async (from, to) => {
      const { feedId, lastFeed } = await fill(from.store)
      const newest = Math.max(...(await all(from.store.everyEntry({}))).map(({ id }) => id))
      await carry(from.ferry, to.ferry)
      await to.ferry.finish(await from.ferry.lastIds())
      const fresh = [draft('a'), draft('forgotten'), draft(KNOWN_BY_ADDRESS), draft('later')]
      expect(await to.store.recordPolls([record(feedId, START + DAY, { fresh })])).toEqual(['recorded'])
      const after = await to.store.newestEntryId()
      expect(after).toBeGreaterThan(newest)
      const keys = (await all(to.store.everyEntry({ feedId }))).filter(({ id }) => id > newest).map(({ key }) => key)
      expect(keys).toEqual(['later'])
      expect(await addFeed(to.store, 'later')).toBeGreaterThan(lastFeed)
      const waiting: EntryId[] = []
      for (let marks = (await to.store.unindexed(50)).marks; marks.length > 0; ) {
        const { changes, marks: some } = await to.store.unindexed(50)
        waiting.push(...changes.map(({ id }) => id))
        await to.store.indexed(some)
        marks = (await to.store.unindexed(1)).marks
      }
      const kept = (await all(to.store.everyEntry({}))).map(({ id }) => id)
      expect(waiting).toEqual(expect.arrayContaining(kept))
      for (let swept = 1; swept > 0; ) swept = await to.store.sweepRemoved(100)
      expect(await to.ferry.size('removals')).toBe(0)
    })

    promised('fills only what is empty, and goes on only with what it has begun with', async (from, to) => {
      await fill(from.store)
      await expect(from.ferry.begin('elsewhere')).rejects.toMatchObject({ trouble: 'in-use' })
      expect(await to.ferry.begin('one')).toEqual(new Map())
      const { rows, after } = await from.ferry.unload('feeds', undefined, 1)
      await to.ferry.load('feeds', rows, after ?? null)
      expect(await to.ferry.begin('one')).toEqual(new Map([['feeds', after]]))
      await expect(to.ferry.begin('another')).rejects.toMatchObject({ trouble: 'in-use' })
      await expect(to.ferry.load('feeds', rows, null)).rejects.toThrow() // they are there
      expect(await to.ferry.begin('one')).toEqual(new Map([['feeds', after]]))
    })
  })
}

/** So many bites, or all that is left. */
async function carry(from: Ferry, to: Ferry, most = Number.POSITIVE_INFINITY): Promise<void> {
  const reached = await to.begin(from.name)
  let bites = 0
  for (const kind of CARGO_KINDS) {
    let after = reached.get(kind)
    while (after !== null) {
      if (bites++ >= most) return
      const bite = await from.unload(kind, after, 4)
      after = bite.after ?? null
      await to.load(kind, bite.rows, after)
    }
  }
}

/** In an order that does not hang on how a store compares texts. */
async function everything(ferry: Ferry, kind: CargoKind): Promise<CargoRow[]> {
  const found: CargoRow[] = []
  for (let after: string | undefined; ; ) {
    const bite = await ferry.unload(kind, after, 7)
    found.push(
      ...bite.rows.map((row) => row.map((value) => (value instanceof Uint8Array ? [...value] : value)) as never),
    )
    after = bite.after
    if (after === undefined) break
  }
  const keyOf = (row: CargoRow) => JSON.stringify(row.slice(0, CARGO_KEYS[kind] ?? 1))
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
      dueArticleAt: (await store.nextDue()).pageAt,
      groups: await store.groupsOfEntries(ids, 'copy'),
      members: await store.membersById(ids, 'copy'),
      moves: await Promise.all(ids.map((id) => store.moves(id))),
      people: await store.people(),
      readings: await Promise.all((await store.people()).map(({ id }) => store.readings(id, { limit: 9 }))),
      marks: await Promise.all((await store.people()).map(({ id }) => store.marksOf(id, ids))),
      searches: await Promise.all((await store.people()).map(({ id }) => store.savedSearches(id))),
      pushes: await all(store.everyPush()),
      folders: await store.folders(),
      market: await store.market(),
      namedBudget: await store.namedBudget(),
      hosts: await store.hosts(),
    }
  }
  expect(await seen(other)).toEqual(await seen(one))
}

const KNOWN_BY_ADDRESS = 'https://a.example/1'

/** Something of every kind. */
async function fill(store: Store): Promise<{ feedId: FeedId; lastFeed: FeedId }> {
  const feedId = await addFeed(store, 'f', { folder: 'News', name: 'Mine', credentials: { user: 'u', password: 'p' } })
  const large = await addFeed(store, 'large')
  await addSource(store, 's', { folder: 'News' })
  await store.recordPolls([record(feedId, START - 9, { fresh: [draft('forgotten')] })])
  await store.forgetEntries(START - 5, 9)
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
  await store.recordPolls(quiet) // a run that has ended, and one that is open
  await store.packEntries(START + 60, 9)
  await recordArticlesOf(store, [a, b, c])
  await store.place(
    [placed(a), placed(b, { copy: joined(a) }), placed(c), placed(d, { copy: joined(c), story: joined(a) })],
    (await store.unplaced(3)).marks,
    START,
    [{ feedId: ALL_FEEDS, memory: Uint8Array.of(1, 0, 255) }],
  )
  await store.place([placed(b, { copy: joined(d) })], [], START + 1)
  await recordHosts(store, feedId)
  const ada = (await store.addPerson({ name: 'Ada', allows: 'admin', addedAt: START, password: 'h' })) as PersonId
  const pass = { personId: ada, kind: 'token', name: 'reader', allows: 'read', addedAt: START } as const
  await store.addPass(pass, new Uint8Array(32).fill(7))
  await recordReadings(store, ada, feedId, [a, b])
  await store.wantOfFolder('News', { goalMs: 600_000 })
  await store.recordMarket({ ...A_MARKET, price: 17.5 })
  await store.nameBudget(720)
  await store.recordRun({ beganAt: START, lastAt: START + 9 })
  const fresh = Array.from({ length: 90 }, (_, i) => draft(`l${i}`))
  await store.recordPolls([record(large, START + 70, { fresh })])
  await store.removeFeed(large)
  const [{ id: lastFeed } = { id: feedId }] = await store.addFeeds([newFeed('last')])
  await store.removeFeed(lastFeed)
  return { feedId, lastFeed }
}

/** What belongs to people, and what is left of it when they let go of it. */
async function recordReadings(store: Store, ada: PersonId, feedId: FeedId, entries: EntryId[]): Promise<void> {
  const [left, sourceId] = [await addFeed(store, 'left'), await addSource(store, 'waited')]
  const many = Array.from({ length: 510 }, (_, i) => draft(`m${i}`))
  await store.recordPolls([record(left, START + 80, { fresh: many })])
  await store.follow(ada, [{ feedId, folder: 'Sea' }, { feedId: left }, { sourceId, title: 'Soon' }], START, 999)
  await store.mark(ada, entries, 'read', START + 1)
  const ids = (await all(store.everyEntry({ feedId: left }))).map(({ id }) => id)
  await store.mark(ada, ids, 'read', START + 2)
  await store.star(ada, entries, true, START)
  await store.unfollow(ada, [{ feedId: left }])
  const query = { personId: ada, name: 'Flood', query: 'flood', addedAt: START }
  const searchId = (await store.addSavedSearch(query)) as SavedSearchId
  const river = { personId: ada, name: 'River', of: { kind: 'river' }, text: 'full', key: 'k', addedAt: START } as const
  await store.addFeedOut(river)
  const hook = { name: 'desk', url: 'https://d.example/', secret: 's', state: 'active', dueAt: START } as const
  await store.addWebhook({ personId: ada, searchId, addedAt: START, cursor: entries[0]!, ...hook })
  const bob = (await store.addPerson({ name: 'Bob', allows: 'read', addedAt: START, password: 'h' })) as PersonId
  await store.follow(bob, [{ feedId }], START, 9)
  await store.star(bob, ids, true, START)
  await store.removePerson(bob)
}

async function recordArticlesOf(store: Store, [a, b, c]: [EntryId, EntryId, EntryId]): Promise<void> {
  await store.enlistArticles([want(a, 'x', 'a'), want(b, 'x', 'b'), want(c, 'y', 'c')], START)
  const [ofA, ofB] = [await articleOf(store, a), await articleOf(store, b)]
  const body = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p class="c${i}">${i * 7}</p>`).join(''))
  await store.recordArticles([readArticle(ofA.id, START + 5, { page: { ...rawPage(START + 5, ''), body } })])
  await store.recordArticles([sameArticle(ofB.id, START + 6, ofA.id)])
}

async function recordHosts(store: Store, feedId: FeedId): Promise<void> {
  await store.recordHosts([{ root: 'f.example', notBeforeAt: START + 5, strikes: 2, trouble: { kind: 'timeout' } }])
  const origin = address('https://f.example')
  const robots: SiteRobots['record'] = { found: 'none', robots: { rules: [] }, fetchedAt: START, until: START + DAY }
  await store.recordRobots([{ origin, root: 'f.example', record: robots }], 9999)
  await store.recordMisses([{ url: address('https://f.example/rss'), host: 'f.example', at: START }], 0)
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
  await store.recordPushes([{ ...push, token: 't' }])
}
