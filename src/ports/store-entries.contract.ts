/** Store contract: entries, their order, keys and retention. */
import { expect } from 'vitest'
import { address } from '../model/address.fixture.ts'
import {
  type Entry,
  type EntryDraft,
  type EntryExtras,
  type EntryId,
  extrasOf,
  type FeedId,
  type KnownEntry,
  sortPosition,
} from '../model/index.ts'
import { articleOf, readArticle, want } from './article-samples.contract.ts'
import type { EntryListQuery, EntryQuery, Store } from './index.ts'
import { expectCounts } from './store-expectations.contract.ts'
import type { Promised } from './store-promise.contract.ts'
import { addFeed, all, draft, newFeed, record, START } from './store-samples.contract.ts'

export function entryPromises(promised: Promised): void {
  promised(
    'lists entries newest first: by date of publication, at most the date of arrival, else by arrival',
    async (store) => {
      const feedId = await addFeed(store, 'f')
      const day = START + 1000
      await store.recordPolls([
        record(feedId, day, {
          fresh: [
            draft('old', { publishedAt: START - 5 }),
            draft('undated'),
            draft('from-the-future', { publishedAt: day + 1_000_000 }),
            draft('new', { publishedAt: day - 1 }),
          ],
        }),
        record(feedId, day + 5, { fresh: [draft('late', { publishedAt: START })] }),
      ])
      const order = ['from-the-future', 'undated', 'new', 'late', 'old']
      expect(await keys(store, { limit: 9 })).toEqual(order)
      expect(await keys(store, { feedId, limit: 9 })).toEqual(order)
      expect(await keys(store, { limit: 2 })).toEqual(order.slice(0, 2))
      expect(await keys(store, { since: START, limit: 9 })).toEqual(order.slice(0, 4))
      expect(await keys(store, { feedId, since: START + 1, limit: 9 })).toEqual(order.slice(0, 3))
    },
  )

  promised('lists filtered entries, in pages that may be short', async (store) => {
    const [a, b, c] = [await addFeed(store, 'a'), await addFeed(store, 'b'), await addFeed(store, 'c')]
    const entryDraft = (name: string, minutes: number, more: Partial<EntryDraft> = {}) =>
      draft(name, { publishedAt: START - minutes, ...more })
    const many = Array.from({ length: 12_000 }, (_, i) => entryDraft(`c${i}`, 10 + (i % 7), { language: 'en' }))
    await store.recordPolls([
      record(a, START, {
        fresh: [entryDraft('a1', 1), entryDraft('a9', 90, { language: 'de-AT', category: 'science' })],
      }),
      record(b, START, {
        fresh: [entryDraft('b2', 2, { language: 'de' }), entryDraft('b3', 3, { category: 'science' })],
      }),
      record(c, START, { fresh: many }),
    ])
    const listed = async (query: Omit<EntryListQuery, 'limit'>, limit = 2) => {
      const found: string[] = []
      for (let after: EntryListQuery['after'], pages = 0; pages < 20; pages++) {
        const page = await store.listEntries({ ...query, limit, ...(after && { after }) })
        expect(page.entries.length).toBeLessThanOrEqual(limit)
        found.push(...page.entries.map(({ key }) => key))
        after = page.nextAfter
        if (!after) return found
      }
      return [...found, 'and so on']
    }
    expect(await listed({ language: 'de' })).toEqual(['b2', 'a9'])
    expect(await listed({ category: 'science' })).toEqual(['b3', 'a9'])
    expect(await listed({ category: 'uncategorized', until: START - 1, since: START - 2 })).toEqual(['a1', 'b2'])
    expect(await listed({ feedIds: [b, a] }, 1)).toEqual(['a1', 'b2', 'b3', 'a9'])
    expect(await listed({ feedIds: [a, b], since: START - 2 })).toEqual(['a1', 'b2'])
    expect(await listed({ feedIds: [] })).toEqual([])
    expect((await listed({ feedIds: [c] }, 1000)).length).toBe(12_000)
    const others = Array.from({ length: 60 }, (_, i) => (1000 + i) as FeedId)
    expect(await listed({ feedIds: [...others, a] })).toEqual(['a1', 'a9'])
    expect(await listed({ until: START - 17 })).toEqual(['a9'])
    expect(await listed({ language: 'und', since: START - 3 })).toEqual(['a1', 'b3'])
    const oldestFirst = true
    expect(await listed({ feedIds: [b, a], oldestFirst }, 1)).toEqual(['a9', 'b3', 'b2', 'a1'])
    expect(await listed({ category: 'science', oldestFirst })).toEqual(['a9', 'b3'])
    expect(await listed({ since: START - 2, oldestFirst })).toEqual(['b2', 'a1'])
    expect(await listed({ feedIds: [...others, a, b], until: START - 3, oldestFirst })).toEqual(['a9', 'b3'])
    expect(await listed({ feedIds: [a], since: START - 80, until: START - 2, oldestFirst })).toEqual([])
    const ascending = await listed({ feedIds: [c], oldestFirst }, 1000)
    expect(ascending).toEqual((await listed({ feedIds: [c] }, 1000)).reverse())
  })

  promised('finds feeds by folder, or by part of title or address', async (store) => {
    const in_ = (name: string, folder?: string) => {
      const one = newFeed(name)
      return { ...one, feed: { ...one.feed, title: `The ${name}`, ...(folder && { folder }) } }
    }
    const added = await store.addFeeds([in_('tides', 'News'), in_('bread', 'News / Local'), in_('tidy', 'Newsletters')])
    const [tides, bread, tidy] = added.map(({ id }) => id)
    expect(await store.feedIds({ folder: 'news' })).toEqual([tides, bread])
    expect(await store.feedIds({ folder: 'News / Local' })).toEqual([bread])
    expect(await store.feedIds({ folder: 'Local' })).toEqual([])
    expect(await store.feedIds({ text: 'THE TID' })).toEqual([tides, tidy])
    expect(await store.feedIds({ text: 'nowhere' })).toEqual([])
  })

  promised(
    'sorts undated entries by the date of their update, else by an estimate that a page may correct',
    async (store) => {
      const feedId = await addFeed(store, 'f')
      const estimate = (ago: number) => ({ estimate: { at: START - ago, by: 'order' as const } })
      const fresh = [
        draft('seen'),
        draft('updated', { updatedAt: START - 5 }),
        draft('ten', estimate(10)),
        draft('twenty', estimate(20)),
        draft('dated', { publishedAt: START - 15, ...estimate(1) }),
      ]
      await store.recordPolls([record(feedId, START, { fresh })])
      expect(await keys(store, { limit: 9 })).toEqual(['seen', 'updated', 'ten', 'dated', 'twenty'])
      const entries = await store.entries({ limit: 9 })
      expect(entries.map((entry) => entry.estimate?.by)).toEqual([undefined, undefined, 'order', 'order', 'order'])
      await store.queueArticles(
        entries.map(({ id, key }) => want(id, 'x', key)),
        START,
      )
      for (const { id } of entries) {
        const article = await articleOf(store, id)
        const { result, ...rest } = readArticle(article.id, START + 1)
        const page = { at: START - 7, by: 'page' as const }
        await store.recordArticles([
          { ...rest, result: { ...(result as object as typeof result & { kind: 'read' }), estimate: page } },
        ])
      }
      expect(await keys(store, { limit: 9 })).toEqual(['updated', 'twenty', 'ten', 'seen', 'dated'])
      expect((await store.entries({ limit: 2 }))[1]?.estimate).toEqual({ at: START - 7, by: 'page' })
    },
  )

  promised('renames the key of an entry, unless it is taken', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b'), draft('c')] })])
    const before = await all(store.everyEntry({}))
    const keyChanges = [
      { from: 'a', to: 'new a' },
      { from: 'b', to: 'c' },
      { from: 'gone', to: 'd' },
    ]
    const changed = [draft('new a', { title: 'Another title' })]
    await store.recordPolls([record(feedId, START + 1, { keyChanges, changed, fresh: [draft('new a'), draft('d')] })])
    const after = await all(store.everyEntry({}))
    expect(after.map(({ key }) => key)).toEqual(['new a', 'b', 'c', 'd'])
    expect(after[0]).toMatchObject({ id: before[0]!.id, title: 'Another title', seenAt: START })
    expect([...(await store.knownEntries([{ feedId, keys: ['a', 'new a', 'b', 'd'] }]))[0]!.keys()]).toEqual([
      'new a',
      'b',
      'd',
    ])
  })

  promised('finds an entry by its former key address, even if its link has changed', async (store) => {
    const feedId = await addFeed(store, 'f')
    const [key, elsewhere] = ['https://a.example/1', 'https://a.example/moved/1']
    const keysAndUrls = async () => (await all(store.everyEntry({}))).map((entry) => [entry.key, entry.url])
    await store.recordPolls([record(feedId, START, { fresh: [draft(key, { url: key }), draft('no address')] })])
    expect(await keysAndUrls()).toEqual([
      [key, key],
      ['no address', undefined],
    ])
    await store.recordPolls([record(feedId, START + 1, { changed: [draft(key, { url: elsewhere })] })])
    expect((await keysAndUrls())[0]).toEqual([key, elsewhere])
    await store.recordPolls([record(feedId, START + 2, { keyChanges: [{ from: key, to: elsewhere }] })])
    expect((await keysAndUrls())[0]).toEqual([elsewhere, elsewhere])
    await store.recordPolls([record(feedId, START + 3, { changed: [draft(elsewhere, { url: elsewhere })] })])
    expect((await keysAndUrls())[0]).toEqual([elsewhere, elsewhere])
    expect((await store.knownEntries([{ feedId, keys: [key, elsewhere] }]))[0]!.get(elsewhere)).toMatchObject({
      url: elsewhere,
    })
  })

  promised('stores the extras of new and changed entries', async (store) => {
    const feedId = await addFeed(store, 'f')
    const url = address('https://a.example/12.mp3')
    const extras: EntryExtras = {
      media: [{ url, kind: 'audio', type: 'audio/mpeg', bytes: 7, durationMs: 60_000, preferred: true }],
      tags: ['sea', 'Ebbe & Flut'],
      people: [{ name: 'Ada', email: 'ada@a.example', url, role: 'host', image: url }],
      comments: { url, feedUrl: url, count: 0 },
      place: { latitude: 54.5, longitude: -1.25 },
      licence: 'CC BY',
      podcast: { durationMs: 60_000, season: 2, number: 12, explicit: false, chaptersUrl: url, transcripts: [{ url }] },
    }
    await store.recordPolls([record(feedId, START, { fresh: [draft('a', extras), draft('b')] })])
    const [b, a] = await store.entries({ limit: 9 })
    expect(extrasOf(a!)).toEqual(extras)
    expect(extrasOf(b!)).toBeUndefined()
    expect(await all(store.everyEntry({}))).toEqual([a, b])
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { title: 'A', tags: ['tide'] })] })])
    expect(extrasOf((await store.entriesById([a!.id]))[0]!)).toEqual({ tags: ['tide'] })
  })

  promised('adds extras to an entry stored without them, once, and indexes them', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b', { tags: ['sea'] })] })])
    await store.markIndexed((await store.unindexed(9)).positions)
    const known = (await store.knownEntries([{ feedId, keys: ['a', 'b'] }]))[0]!
    expect([known.get('a'), known.get('b')]).toMatchObject([{ bare: true }, { title: 'title of b' }])
    expect(known.get('b')).not.toHaveProperty('bare')
    const completed = ['a', 'b', 'unknown'].map((key) => ({ key, extras: { tags: ['tide'] } }))
    await store.recordPolls([record(feedId, START + 1, { completed })])
    const [a, b] = await all(store.everyEntry({}))
    expect([a!.tags, b!.tags, a!.changedAt]).toEqual([['tide'], ['sea'], undefined])
    expect((await store.unindexed(9)).changes.map(({ id }) => id)).toEqual([a!.id])
  })

  promised('continues after the last entry of a page, even among equal dates', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const drafts = (name: string) =>
      Array.from({ length: 25 }, (_, i) => draft(`${name}${i}`, { publishedAt: START - Math.floor(i / 10) }))
    await store.recordPolls([
      record(a, START, { fresh: drafts('a') }),
      record(b, START + 3, { fresh: [...drafts('b'), draft('b-undated')] }),
    ])
    for (const filter of [{}, { feedId: a }, { since: START - 1 }, { feedId: b, since: START - 1 }]) {
      const whole = await store.entries({ ...filter, limit: 99 })
      expect(whole.length).toBeGreaterThan(19)
      const pages: Entry[] = []
      for (;;) {
        const after = pages.at(-1)
        const page = await store.entries({ ...filter, ...(after && { after: sortPosition(after) }), limit: 7 })
        if (page.length === 0) break
        pages.push(...page)
      }
      expect(pages).toStrictEqual(whole)
    }
  })

  promised('continues after an entry that was deleted or changed meanwhile', async (store) => {
    const feedId = await addFeed(store, 'f')
    const fresh = ['a', 'b', 'c'].map((key, i) => draft(key, { publishedAt: START - i }))
    await store.recordPolls([record(feedId, START, { fresh })])
    const [first] = await store.entries({ limit: 1 })
    await store.recordPolls([record(feedId, START + 1, { changed: [draft('a', { publishedAt: START - 99 })] })])
    expect(await keys(store, { after: sortPosition(first!), limit: 9 })).toEqual(['b', 'c', 'a'])
    const [, second] = await store.entries({ limit: 2 })
    await store.forget('entries', START + 1, 9)
    expect(await keys(store, { after: sortPosition(second!), limit: 9 })).toEqual([])
    expect(await store.entriesById([first!.id])).toEqual([undefined])
  })

  promised('sorts a changed entry by its new date', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a', { publishedAt: START - 9 }), draft('b')] })])
    expect(await keys(store, { limit: 9 })).toEqual(['b', 'a'])
    const moved = [draft('b', { publishedAt: START - 20 })]
    await store.recordPolls([record(feedId, START + 1, { changed: moved })])
    expect(await keys(store, { limit: 9 })).toEqual(['a', 'b'])
    expect(await keys(store, { feedId, since: START - 10, limit: 9 })).toEqual(['a'])
  })

  promised('returns entriesById in the order of the ids, with undefined for missing ones', async (store) => {
    const feedId = await addFeed(store, 'f')
    await store.recordPolls([record(feedId, START, { fresh: [draft('a'), draft('b')] })])
    const [a, b] = await all(store.everyEntry({}))
    expect(await store.entriesById([b!.id, 999_999 as EntryId, a!.id, b!.id])).toStrictEqual([b, undefined, a, b])
    expect(await store.entriesById([])).toEqual([])
  })

  promised('scans all entries in the order of arrival', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([
      record(a, START, { fresh: [draft('a1', { publishedAt: START - 9 }), draft('a2', { publishedAt: START - 20 })] }),
      record(b, START, { fresh: Array.from({ length: 1500 }, (_, i) => draft(`b${i}`)) }),
    ])
    await store.recordPolls([record(a, START + 1, { fresh: [draft('a3')], changed: [draft('a1')] })])
    const found = async (filter: Parameters<typeof store.everyEntry>[0]) =>
      (await all(store.everyEntry(filter))).map((entry) => entry.key)
    const ofB = Array.from({ length: 1500 }, (_, i) => `b${i}`)
    expect(await found({})).toEqual(['a1', 'a2', ...ofB, 'a3'])
    expect(await found({ feedId: a })).toEqual(['a1', 'a2', 'a3'])
    expect(await found({ feedId: b })).toEqual(ofB)
    expect(await found({ since: START })).toEqual(['a1', ...ofB, 'a3'])
    expect(await found({ feedId: a, since: START + 1 })).toEqual(['a3'])
  })

  promised('scans entries after an id, and returns the newest id', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    expect(await store.newestEntryId()).toBe(0)
    await store.recordPolls([record(a, START, { fresh: [draft('a1'), draft('a2')] })])
    const last = await store.newestEntryId()
    const after = async (feedId?: FeedId) =>
      (await all(store.everyEntry({ after: last, ...(feedId && { feedId }) }))).map((entry) => entry.key)
    expect(await after()).toEqual([])
    await store.recordPolls([record(b, START - 5, { fresh: [draft('b1', { publishedAt: 0 })] })])
    await store.recordPolls([record(a, START + 1, { fresh: [draft('a3')], changed: [draft('a1')] })])
    expect([await after(), await after(a)]).toEqual([['b1', 'a3'], ['a3']])
    expect(await store.newestEntryId()).toBeGreaterThan(last)
  })

  promised('returns the stored entries of known keys', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    const url = 'https://a.example/x'
    await store.recordPolls([record(a, START, { fresh: [draft('x', { url, publishedAt: START - 5 }), draft('y')] })])
    await store.recordPolls([record(b, START + 1, { fresh: [draft('z')] })])
    const questions = [
      { feedId: b, keys: ['x', 'z'] },
      { feedId: a, keys: ['y', 'x', 'z', 'x'] },
      { feedId: a, keys: [] },
      { feedId: 999_999 as FeedId, keys: ['x'] },
    ]
    const answer: Map<string, KnownEntry>[] = [
      new Map([['z', { title: 'title of z', seenAt: START + 1, bare: true }]]),
      new Map<string, KnownEntry>([
        ['x', { title: 'title of x', url, publishedAt: START - 5, seenAt: START, bare: true }],
        ['y', { title: 'title of y', seenAt: START, bare: true }],
      ]),
      new Map(),
      new Map(),
    ]
    expect(await store.knownEntries(questions)).toEqual(answer)
  })

  promised('accepts any text as a key', async (store) => {
    const feedId = await addFeed(store, 'f')
    const odd = ['', ' ', '0', '__proto__', 'ключ \u{1f511}', "it's", 'NUL\0inside', 'x'.repeat(10_000), 'X', 'x']
    await store.recordPolls([record(feedId, START, { fresh: odd.map((key) => draft(key, { title: 't' })) })])
    const [answer] = await store.knownEntries([{ feedId, keys: [...odd, 'y', 'NUL'] }])
    expect(new Set(answer!.keys())).toEqual(new Set(odd))
    expect((await all(store.everyEntry({}))).map((entry) => entry.key)).toEqual(odd)
  })

  promised('reads compressed entries unchanged', async (store) => {
    const feedId = await addFeed(store, 'f')
    const long = `<p>Überall Gänse \u{1f986}, & a \0 in between.</p>`.repeat(60)
    const noise = Array.from({ length: 900 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * i * 7919) % 20_000))).join(
      '',
    )
    const fresh = [
      draft('long', { content: long }),
      draft('short', { content: 'brief' }),
      draft('noise', { content: noise }),
      draft('book', { content: long.repeat(60) }),
      draft('bare'),
    ]
    await store.recordPolls([record(feedId, START, { fresh })])
    await store.recordPolls([record(feedId, START + 9, { fresh: [draft('later', { content: long })] })])
    const before = await all(store.everyEntry({}))
    for (let times = 0; (await store.compressEntries(START + 9, 2)) > 0; times++) expect(times).toBeLessThan(9)
    expect(await all(store.everyEntry({}))).toStrictEqual(before)
    expect(await store.entriesById(before.map(({ id }) => id))).toStrictEqual(before)
    expect((await store.listEntries({ limit: 9 })).entries).toHaveLength(before.length)
    expect((await store.unindexed(9)).changes.map(({ entry }) => entry)).toStrictEqual(before)
    // Earlier versions are kept, compressed or not.
    await store.recordPolls([record(feedId, START + 20, { changed: [draft('long', { content: 'anew' })] })])
    expect(await store.versions(before[0]!.id)).toMatchObject([{ body: long }])
    expect(await store.entriesById([before[0]!.id])).toMatchObject([{ content: 'anew' }])
    await store.recordPolls([record(feedId, START + 30, { changed: [draft('long', { content: long })] })])
    while ((await store.compressEntries(START + 99, 9)) > 0);
    expect(await store.entriesById([before[0]!.id])).toMatchObject([{ content: long }])
  })

  promised('deletes old entries, oldest first, and keeps their keys', async (store) => {
    const a = await addFeed(store, 'a')
    const b = await addFeed(store, 'b')
    await store.recordPolls([
      record(a, START + 10, { fresh: [draft('a10', { publishedAt: 0 })] }),
      record(b, START + 5, { fresh: [draft('b5')] }),
      record(a, START + 20, { fresh: [draft('a20')] }),
    ])
    expect(await store.forget('entries', START + 5, 9)).toBe(0)
    expect(await store.forget('entries', START + 20, 1)).toBe(1)
    expect(await keys(store, { limit: 9 })).toEqual(['a20', 'a10'])
    expect(await store.forget('entries', START + 20, 9)).toBe(1)
    expect(await store.forget('entries', START + 20, 9)).toBe(0)
    expect(await keys(store, { limit: 9 })).toEqual(['a20'])
    const known = await store.knownEntries([
      { feedId: a, keys: ['a10', 'a20', 'b5'] },
      { feedId: b, keys: ['b5'] },
    ])
    expect(known[0]?.get('a10')).toBe('forgotten')
    expect(known[0]?.get('a20')).toEqual({ title: 'title of a20', seenAt: START + 20, bare: true })
    expect(known[0]?.has('b5')).toBe(false)
    expect(known[1]?.get('b5')).toBe('forgotten')
    await expectCounts(store, { feeds: { active: 2 }, entries: 1, polls: 3 })
  })
}

async function keys(store: Store, query: EntryQuery): Promise<string[]> {
  return (await store.entries(query)).map((entry) => entry.key)
}
