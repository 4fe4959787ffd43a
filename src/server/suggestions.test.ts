/** Suggestions of what to follow. */
import { expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import type { SuggestionsShape } from '../api/index.ts'
import { DAY, type EntryId, HOUR, MINUTE } from '../model/index.ts'
import { joined, placed } from '../ports/group-samples.contract.ts'
import { createAccounts } from './accounts.ts'

const linkTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">see</a>`).join(' ')

async function suggestionsFrom(
  fixture: ReturnType<typeof createServerFixture>,
  token?: string,
): Promise<SuggestionsShape> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined
  const response = await fixture.app.request('http://localhost/api/v1/suggestions', { ...(headers && { headers }) })
  return (await response.json()) as SuggestionsShape
}

test('are sites that several followed feeds link to, with examples, but not followed ones', async () => {
  const fixture = createServerFixture()
  const entry = (title: string, agoMs: number, summary: string) => ({ title, agoMs, summary })
  await fixture.addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    entries: [entry('Tram', HOUR, linkTo('https://blog.example/tram', 'https://mill.example/1', 'https://x.com/1'))],
  })
  await fixture.addFeed({
    url: 'https://mill.example/feed',
    title: 'Mill',
    entries: [entry('Rye', 2 * HOUR, linkTo('https://www.blog.example/rye', 'https://once.example/'))],
  })
  expect(await suggestionsFrom(fixture)).toEqual({
    entries: 2,
    linked: [
      {
        host: 'blog.example',
        url: 'https://blog.example/',
        feeds: 2,
        entries: 2,
        examples: [
          { entryId: expect.any(Number), title: 'Tram', feedTitle: 'Harbor', url: 'https://blog.example/tram' },
          { entryId: expect.any(Number), title: 'Rye', feedTitle: 'Mill', url: 'https://www.blog.example/rye' },
        ],
      },
    ],
    first: [],
  })
})

test('are computed from the newest 1,500 entries, once in ten minutes, and again after following', async () => {
  const fixture = createServerFixture()
  const entries = Array.from({ length: 1600 }, (_, i) => ({
    title: `Entry ${i}`,
    agoMs: 2 * DAY + i * MINUTE,
    summary: linkTo(i < 1500 ? 'https://new.example/' : 'https://old.example/'),
  }))
  await fixture.addFeed({ url: 'https://busy.example/feed', title: 'Busy', entries })
  const first = await suggestionsFrom(fixture)
  expect(first).toMatchObject({ entries: 1500, linked: [{ host: 'new.example', feeds: 1, entries: 1500 }] })
  expect(first.linked).toHaveLength(1)
  let reads = 0
  const { entriesFor } = fixture.store
  fixture.store.entriesFor = (...given) => {
    reads++
    return entriesFor(...given)
  }
  await suggestionsFrom(fixture)
  expect(reads).toBe(0)
  await fixture.addFeed({ url: 'https://new.example/feed', title: 'New' })
  expect((await suggestionsFrom(fixture)).linked).toEqual([])
})

test('are feeds that were first in stories of followed feeds, if the user may see them', async () => {
  for (const sharedReading of [true, false]) {
    const fixture = createServerFixture({ sharedReading })
    const { store } = fixture
    const accounts = createAccounts({ users: store, clock: fixture.clock })
    await accounts.add('admin', 'correct horse battery')
    const entries = (feed: string, agoMs: number) =>
      [1, 2, 3].map((n) => ({ title: `${feed} ${n}`, url: `https://${feed}.example/${n}`, agoMs: agoMs + n * DAY }))
    await fixture.addFeed({ url: 'https://wire.example/feed', title: 'Wire', entries: entries('wire', 5 * HOUR) })
    const late = await fixture.addFeed({
      url: 'https://late.example/feed',
      title: 'Late',
      entries: entries('late', HOUR),
    })
    const bob = await accounts.add('bob', 'correct horse battery', 'write')
    await store.follow(bob.id, [{ feedId: late }], NOW, 9)
    const { secret } = await accounts.addToken(bob.id, { name: 't', scope: 'write' })
    const idOf = new Map((await store.entries({ limit: 99 })).map(({ id, title }) => [title, id]))
    for (const n of [1, 2, 3]) {
      const [a, b] = [idOf.get(`wire ${n}`), idOf.get(`late ${n}`)] as [EntryId, EntryId]
      const wire = placed(a, {}, { at: NOW - 5 * HOUR - n * DAY })
      const later = placed(b, { story: joined(a) }, { at: NOW - HOUR - n * DAY })
      await store.recordGroups([wire, later], [], NOW)
    }
    const { first } = await suggestionsFrom(fixture, secret)
    if (sharedReading) expect(first).toMatchObject([{ url: 'https://wire.example/feed', stories: 3, leadMs: 4 * HOUR }])
    else expect(first).toEqual([])
  }
})
