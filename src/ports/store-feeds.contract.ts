/** Store contract: feeds. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import type { FeedId, Host } from '../model/index.ts'
import type { FeedChange, FeedQuery } from './index.ts'
import { expectCounts, feedById } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import {
  addFeed,
  addSource,
  all,
  draft,
  failedRecord,
  newFeed,
  newSource,
  POISON,
  record,
  START,
} from './store-samples.contract.ts'

export function feedPromises(promised: Promised): void {
  promised('stores optional fields of a feed, and removes those changed to null', async (store) => {
    const id = await addFeed(store, 'f')
    const more = {
      titlePrefix: 'F: ',
      publisherTitle: 'A title',
      quirks: { matchBy: 'text', varyingParameters: ['sid'] },
      name: 'eff',
      ownCategory: 'sports',
      builtAt: START - 5,
      foundBy: 'probe',
      fragments: 'shared',
      category: 'politics',
      articles: 'always',
      hints: { ttlMs: 60_000, skipHours: [1, 2] },
      ends: ['mill.example', 'anna.github.io'],
      moving: { to: address('https://f.example/there'), times: 2, sinceAt: START },
      gapAt: START,
      followUp: { kind: 'backfill', url: address('https://f.example/2'), left: 4, resumeAt: START + 9 },
      siteSearchedAt: START + 1,
      successorUrl: address('https://f.example/new'),
      folder: 'Village',
      credentials: { user: 'ada', password: 'pä:ss"@' },
      fetching: {
        userAgent: 'Reader/2',
        headers: { 'x-key': 'kä"y' },
        cookies: 'a=1',
        proxy: 'http://proxy.example:3128',
        proxyLogin: 'ada:s',
        acceptsInvalidCertificate: true,
        ignoresValidators: true,
        bridge: 'https://bridge.example/?url={url}',
        extraction: { content: '.text', remove: 'aside' },
        rewrites: [{ part: 'title', find: '^Ad: ', replace: '' }],
      },
    } satisfies FeedChange
    await store.changeFeed(id, more)
    expect((await feedById(store, id)).feed).toMatchObject(more)
    const taken = {
      followUp: null,
      ends: null,
      titlePrefix: null,
      articles: null,
      folder: null,
      credentials: null,
      fetching: null,
    }
    await store.changeFeed(id, taken)
    const { feed } = await feedById(store, id)
    expect(feed).toMatchObject({ gapAt: START, siteSearchedAt: START + 1, successorUrl: 'https://f.example/new' })
    for (const name of Object.keys(taken)) expect(feed).not.toHaveProperty(name)
  })

  promised('keeps feed names unique, and finds feeds by name and category', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.changeFeed(a, { name: 'one', category: 'politics' })
    await store.changeFeed(b, { name: 'one', category: 'politics', ownCategory: 'sports' })
    const [c] = await store.addFeeds([newFeed('c', { name: 'one' })])
    const found = async (query: Partial<FeedQuery>) =>
      (await store.feeds({ order: 'id', limit: 9, ...query })).map(({ feed }) => feed.id)
    expect(await found({ name: 'one' })).toEqual([a])
    expect(await found({ category: 'politics' })).toEqual([a])
    expect(await found({ category: 'sports' })).toEqual([b])
    expect(await found({ category: '' })).toEqual([c!.id])
    await store.changeFeed(a, { name: null })
    await store.changeFeed(b, { name: 'one' })
    expect(await found({ name: 'one' })).toEqual([b])
  })

  promised('counts the entries of feeds', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    await store.recordPolls([record(a, START + 5, { fresh: [draft('x'), draft('y')] })])
    expect(await store.entryCounts([b, a, 99 as FeedId])).toEqual([0, 2, 0])
  })

  promised('lists the dates of the newest entries of feeds', async (store) => {
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    const fresh = [1, 3, 2].map((n) => draft(`x${n}`, { publishedAt: START + n }))
    await store.recordPolls([record(a, START + 5, { fresh })])
    const [of, none] = [
      { dates: [START + 3, START + 2], recent: 2 },
      { dates: [], recent: 0 },
    ]
    const query = { limit: 2, since: START + 2 }
    expect(await store.newestEntryDates([b, a, 99 as FeedId, a], query)).toEqual([none, of, none, of])
  })

  promised('returns a feed and its schedule unchanged', async (store) => {
    const full = newFeed(
      'full',
      {
        title: 'Ünïcode "quoted" \u{1f30a} 日本',
        description: 'what it says of itself',
        siteUrl: address('https://full.example/'),
        language: 'de-AT',
        hub: address('https://hub.example/'),
        format: 'atom',
        folder: 'News / World',
        credentials: { user: 'ada', password: 's3cret' },
        validators: { etag: 'W/"1"', lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT' },
        bodyHash: 'c0ffee',
        subscribers: 7,
        wants: { minMs: 600_000, goalMs: 1_200_000 },
        state: 'paused',
      },
      {
        strategy: 'tide',
        memory: Uint8Array.of(0, 1, 127, 128, 255),
        because: { by: 'publisher', price: 90_000.5 },
        dueAt: START + 5,
        failures: 3,
        polledAt: START - 10,
        succeededAt: START - 20,
        trouble: { kind: 'http', status: 429, retryAfterMs: 1500, detail: 'slow down' },
      },
    )
    const bare = newFeed('bare')
    const [first, second] = await store.addFeeds([full, bare])
    const id = first!.id
    expect(await store.feedsById([id, second!.id])).toStrictEqual([
      { feed: { ...full.feed, id }, schedule: full.schedule, revision: expect.any(Number) },
      { feed: { ...bare.feed, id: second!.id }, schedule: bare.schedule, revision: expect.any(Number) },
    ])
  })

  promised('does not change an existing feed, and returns results in order', async (store) => {
    const id = await addFeed(store, 'old')
    const answers = await store.addFeeds([newFeed('new'), newFeed('old', { title: 'another' }), newFeed('new')])
    expect(answers.map((answer) => answer.added)).toEqual([true, false, false])
    expect(answers[1]?.id).toBe(id)
    expect(answers[2]?.id).toBe(answers[0]?.id)
    expect((await feedById(store, id)).feed.title).toBe('old')
    await expectCounts(store, { feeds: { active: 2 }, unpolled: 2 })
    expect(await store.addFeeds([])).toEqual([])
  })

  promised('adds all feeds of an array or none', async (store) => {
    await expect(store.addFeeds([newFeed('good'), POISON])).rejects.toThrow()
    await expectCounts(store, {})
    expect(await all(store.everyFeed())).toEqual([])
    expect((await store.addFeeds([newFeed('good')]))[0]?.added).toBe(true)
  })

  promised('returns feedsById in the order of the ids, with undefined for missing ones', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const answers = await store.feedsById([b, 999_999 as FeedId, a, b])
    expect(answers.map((answer) => answer?.feed.title)).toEqual(['b', undefined, 'a', 'b'])
  })

  promised('returns copies and stores copies', async (store) => {
    const given = newFeed('mine', { validators: { etag: '1' } }, { memory: Uint8Array.of(1) })
    const [answer] = await store.addFeeds([given])
    given.feed.validators.etag = '2'
    const out = await feedById(store, answer!.id)
    out.feed.title = 'spoiled'
    out.schedule.memory[0] = 2
    given.schedule.memory[0] = 3
    const { feed, schedule } = await feedById(store, answer!.id)
    expect([feed.title, feed.validators, schedule.memory]).toEqual(['mine', { etag: '1' }, Uint8Array.of(1)])
  })

  promised('changes only the given fields', async (store) => {
    const id = await addFeed(store, 'a', { language: 'en', validators: { etag: '1', lastModified: 'then' } })
    const before = await feedById(store, id)
    expect(await store.changeFeed(id, { title: 'b', validators: { etag: '2' } }, { dueAt: START + 9 })).toBe(true)
    expect(await feedById(store, id)).toStrictEqual({
      feed: { ...before.feed, title: 'b', validators: { etag: '2' } },
      schedule: { ...before.schedule, dueAt: START + 9 },
      revision: expect.any(Number),
    })
    expect((await feedById(store, id)).revision).not.toBe(before.revision)
    expect(await store.changeFeed(id, {})).toBe(true)
    expect((await feedById(store, id)).feed.title).toBe('b')
    expect(await store.changeFeed(999_999 as FeedId, { title: 'c' })).toBe(false)
  })

  promised('rejects a change to the address of another feed as a whole', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const before = await feedById(store, b)
    const taken = { url: address('https://a.example/feed.xml'), root: 'a.example' }
    const change = { ...taken, validators: { etag: '"x"' }, title: 'moved' }
    expect(await store.changeFeed(b, change, { dueAt: START + 9 })).toBe(false)
    expect(await feedById(store, b)).toEqual(before)
    expect(await store.changeFeed(a, { ...taken, title: 'stays' })).toBe(true)
    expect((await store.addFeeds([newFeed('a')]))[0]).toEqual({ id: a, added: false })
  })

  promised(
    'records a poll of a feed that moved to the address of another, but keeps its address and root',
    async (store) => {
      await addFeed(store, 'a')
      const b = await addFeed(store, 'b')
      const move = { url: address('https://a.example/feed.xml'), root: 'a.example', language: 'fr' }
      expect(await store.recordPolls([record(b, START, { feed: move })])).toEqual(['recorded'])
      const { feed } = await feedById(store, b)
      expect([feed.url, feed.root, feed.language]).toEqual(['https://b.example/feed.xml', 'b.example', 'fr'])
    },
  )

  promised('finds a feed by address', async (store) => {
    const id = await addFeed(store, 'a')
    expect(await store.feedAt('https://a.example/feed.xml')).toBe(id)
    await store.changeFeed(id, { url: address('https://a.example/new.xml') })
    expect(await store.feedAt('https://a.example/feed.xml')).toBeUndefined()
    expect(await store.feedAt('https://a.example/new.xml')).toBe(id)
  })

  promised('finds a moved feed only by its new address', async (store) => {
    const id = await addFeed(store, 'old')
    await store.changeFeed(id, { url: address('https://new.example/feed.xml') })
    expect((await store.addFeeds([newFeed('new')]))[0]).toEqual({ id, added: false })
    expect((await store.addFeeds([newFeed('old')]))[0]?.added).toBe(true)
  })

  promised('removes a feed with its entries, keys, polls and sources', async (store) => {
    const other = await addFeed(store, 'other')
    await store.recordPolls([record(other, START, { fresh: [draft('x')] })])
    const source = await addSource(store, 'site')
    const found = await store.recordSourceFound(source, newFeed('a'), record(other, START, { fresh: [draft('x')] }))
    const id = found!.feedId
    await store.recordPolls([failedRecord(id, START + 1)])
    await store.forget('entries', START + 1, 1)
    await store.recordPolls([record(id, START + 2, { fresh: [draft('y')] })])

    expect(await store.removeFeed(id)).toBe(true)
    expect(await store.removeFeed(id)).toBe(false)
    expect(await store.feedsById([id])).toEqual([undefined])
    expect(await store.entries({ feedId: id, limit: 9 })).toEqual([])
    expect(await store.polls({ feedId: id, limit: 9 })).toEqual([])
    expect(await store.knownEntries([{ feedId: id, keys: ['x', 'y'] }])).toEqual([new Map()])
    expect(await store.sources({ limit: 9 })).toEqual([])
    expect((await store.polls({ limit: 9 })).map((poll) => poll.feedId)).toEqual([other])
    expect((await store.addSources([newSource('site')]))[0]?.added).toBe(true)
    const again = await addFeed(store, 'a')
    expect(again).not.toBe(id)
    expect(await store.knownEntries([{ feedId: again, keys: ['x', 'y'] }])).toEqual([new Map()])
  })

  promised('filters feeds by state, folder, failure and part of title or address', async (store) => {
    const ids: Record<string, FeedId> = {}
    ids.plain = await addFeed(store, 'plain', { folder: 'News' })
    ids.sulky = await addFeed(store, 'sulky', { title: 'ÄRGER 100% _daily_', folder: 'News' })
    ids.paused = await addFeed(store, 'paused', { state: 'paused', folder: 'News / World' })
    ids.gone = await addFeed(store, 'gone', { state: 'gone' })
    await store.recordPolls([failedRecord(ids.sulky, START), record(ids.plain, START)])
    const titles = async (query: Partial<FeedQuery>) =>
      (await store.feeds({ order: 'id', limit: 10, ...query })).map(({ feed }) => feed.root.split('.')[0])

    expect(await titles({})).toEqual(['plain', 'sulky', 'paused', 'gone'])
    expect(await titles({ state: 'active' })).toEqual(['plain', 'sulky'])
    expect(await titles({ state: 'gone' })).toEqual(['gone'])
    expect(await titles({ folder: 'News' })).toEqual(['plain', 'sulky'])
    expect(await titles({ failing: true })).toEqual(['sulky'])
    expect(await titles({ text: 'ärger' })).toEqual(['sulky'])
    expect(await titles({ text: 'PAUSED.Example/' })).toEqual(['paused'])
    expect(await titles({ text: '%' })).toEqual(['sulky'])
    expect(await titles({ text: '_' })).toEqual(['sulky'])
    expect(await titles({ text: 'nowhere' })).toEqual([])
    expect(await titles({ text: '' })).toHaveLength(4)
    expect(await titles({ state: 'active', folder: 'News', text: 'A' })).toEqual(['plain', 'sulky'])
    await store.changeFeed(ids.sulky, { title: 'joy' })
    expect(await titles({ text: 'ärger' })).toEqual([])
    expect(await titles({ text: 'JOY' })).toEqual(['sulky'])
  })

  promised('pages through feeds, oldest first or next due first', async (store) => {
    const ids = await store.addFeeds([
      newFeed('late', {}, { dueAt: START + 30 }),
      newFeed('paused', { state: 'paused' }, { dueAt: START + 10 }),
      newFeed('soon', {}, { dueAt: START + 10 }),
      newFeed('next', {}, { dueAt: START + 20 }),
      newFeed('soon-too', {}, { dueAt: START + 10 }),
    ])
    const titles = async (query: FeedQuery) => (await store.feeds(query)).map(({ feed }) => feed.title)
    expect(await titles({ order: 'id', limit: 2 })).toEqual(['late', 'paused'])
    expect(await titles({ order: 'id', limit: Number.POSITIVE_INFINITY })).toHaveLength(5)
    expect(await titles({ order: 'id', after: { id: ids[1]!.id, dueAt: 0 }, limit: 2 })).toEqual(['soon', 'next'])
    expect(await titles({ order: 'due', limit: 9 })).toEqual(['soon', 'soon-too', 'next', 'late'])
    expect(await titles({ order: 'due', after: { id: ids[2]!.id, dueAt: START + 10 }, limit: 2 })).toEqual([
      'soon-too',
      'next',
    ])
    expect(await titles({ order: 'due', state: 'paused', limit: 9 })).toEqual([])
    await store.leaseDue(START + 15, 1, START + 1000)
    expect(await titles({ order: 'due', limit: 9 })).toEqual(['soon', 'soon-too', 'next', 'late'])
  })

  promised('scans all feeds in the order of addition, despite concurrent changes', async (store) => {
    const names = Array.from({ length: 1200 }, (_, i) => `feed-${i}`)
    const answers = await store.addFeeds(names.map((name) => newFeed(name)))
    expect((await all(store.everyFeed())).map(({ feed }) => feed.title)).toEqual(names)

    const seen: string[] = []
    for await (const { feed } of store.everyFeed()) {
      if (seen.push(feed.title) === 1) await store.removeFeed(answers[1100]!.id)
    }
    expect(seen.filter((title) => title !== 'feed-1100')).toEqual(names.filter((name) => name !== 'feed-1100'))
    for await (const { feed } of store.everyFeed()) {
      expect(feed.title).toBe('feed-0')
      break
    }
    await store.removeFeed(answers[0]!.id)
  })

  promised('keeps feed counts correct after every operation', async (store) => {
    await expectCounts(store, {})
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b', { state: 'paused' })
    await expectCounts(store, { feeds: { active: 1, paused: 1 }, unpolled: 1 })
    await store.recordPolls([failedRecord(a, START), failedRecord(b, START)])
    await expectCounts(store, { feeds: { active: 1, paused: 1 }, failing: 1, polls: 2 })
    await store.changeFeed(b, { state: 'active' })
    await expectCounts(store, { feeds: { active: 2 }, failing: 2, polls: 2 })
    await store.recordPolls([record(a, START + 1), record(b, START + 1, { feed: { state: 'gone' } })])
    await expectCounts(store, { feeds: { active: 1, gone: 1 }, polls: 4 })
    const c = await addFeed(store, 'c')
    await store.changeFeed(c, { state: 'paused' })
    await expectCounts(store, { feeds: { active: 1, paused: 1, gone: 1 }, polls: 4 })
    await store.changeFeed(c, { state: 'active' }, { trouble: { kind: 'timeout' } })
    await expectCounts(store, { feeds: { active: 2, gone: 1 }, unpolled: 1, failing: 1, polls: 4 })
    for (const id of [a, b, c]) await store.removeFeed(id)
    await expectCounts(store, {})
  })

  promised('stores learned host state, even without a backoff', async (store) => {
    const nothing = { root: 'slow.example', notBeforeAt: 0, strikes: 0 }
    const learnt: Partial<Host>[] = [
      { adaptiveGap: { factor: 4, calmAt: START, refusals: 1 } },
      { crawlDelay: { ms: 5000, origin: 'https://slow.example', until: START + 9 } },
      { incident: { state: 'incident', sign: 'timeout', sinceAt: START, canaries: 2, canaryAt: START + 5 } },
    ]
    for (const one of learnt) {
      await store.recordSites({ hosts: [{ ...nothing, ...one }] })
      expect(await store.hosts()).toStrictEqual([{ ...nothing, ...one }])
    }
    await store.recordSites({ hosts: [nothing] })
    expect(await store.hosts()).toEqual([])
  })

  promised('lists hosts that are backing off, next one first, and counts them', async (store) => {
    const names = Array.from({ length: 12 }, (_, i) => `h${String(i).padStart(2, '0')}.example`)
    await store.recordSites({
      hosts: names.map((root, i) => ({ root, notBeforeAt: START + ((i * 5) % 12), strikes: 1 })),
    })
    const { hosts, all } = await store.restingHosts(START + 3, 3)
    expect([hosts.map(({ notBeforeAt }) => notBeforeAt - START), all]).toEqual([[4, 5, 6], 8])
    expect(await store.restingHosts(START + 99, 3)).toEqual({ hosts: [], all: 0 })
  })

  promised('stores hosts that back off, and drops those that no longer do', async (store) => {
    const slow = { root: 'slow.example', notBeforeAt: START + 5, strikes: 2, trouble: { kind: 'timeout' } as const }
    const shy = { root: 'shy.example', notBeforeAt: START, strikes: 1 }
    expect(await store.hosts()).toEqual([])
    await store.recordSites({ hosts: [slow, shy] })
    await store.recordSites({ hosts: [{ root: 'never-seen.example', notBeforeAt: 0, strikes: 0 }] })
    expect(await store.hosts(['shy.example', 'shy.example', 'nobody.example'])).toStrictEqual([shy])
    expect(await store.hosts([])).toEqual([])
    const byRoot = async () => (await store.hosts()).sort((a, b) => b.root.localeCompare(a.root))
    expect(await byRoot()).toStrictEqual([slow, shy])
    await store.recordSites({
      hosts: [
        { ...shy, strikes: 0 },
        { root: 'slow.example', notBeforeAt: START + 9, strikes: 3 },
      ],
    })
    expect(await store.hosts()).toStrictEqual([{ root: 'slow.example', notBeforeAt: START + 9, strikes: 3 }])
  })
}
