/** Exports over the API. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import { HOUR } from '../model/index.ts'

async function filled(count: number) {
  const fixture = createServerFixture()
  const entries = Array.from({ length: count }, (_, i) => ({
    title: `Tide ${i}`,
    content: `<p>${'water '.repeat(200)}</p>`,
    agoMs: i * HOUR,
  }))
  const id = await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  return { ...fixture, id }
}

async function linesAt(fixture: ReturnType<typeof createServerFixture>, path: string) {
  const text = await (await fixture.app.request(`/api/v1/export/${path}`)).text()
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('an export', () => {
  test.each([
    ['feeds', OPERATIONS.exportFeeds],
    ['entries', OPERATIONS.exportEntries],
    ['entries?with=article', OPERATIONS.exportEntries],
    ['polls', OPERATIONS.exportPolls],
    ['hours', OPERATIONS.exportHours],
    ['hours?feed=1', OPERATIONS.exportHours],
  ])('of %s has one object per line that matches its schema', async (what, { responses }) => {
    const lines = await linesAt(await filled(3), what)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) responses[200].content['application/x-ndjson'].schema.parse(line)
  })

  test('is filtered, and continues after an entry', async () => {
    const fixture = await filled(5)
    const titles = async (query: string) => (await linesAt(fixture, `entries?${query}`)).map(({ title }) => title)
    expect(await titles('after=3')).toEqual(['Tide 3', 'Tide 4'])
    expect(await titles('feed=99')).toEqual([])
    expect(await linesAt(fixture, 'articles')).toEqual([])
  })

  test('includes feed titles on request', async () => {
    const fixture = await filled(1)
    expect(await linesAt(fixture, 'entries?with=article')).toMatchObject([{ title: 'Tide 0', feedTitle: 'Tides' }])
    expect((await linesAt(fixture, 'entries'))[0]).not.toHaveProperty('feedTitle')
    expect((await fixture.app.request('/api/v1/export/articles?with=article')).status).toBe(400)
  })

  describe('of hours', () => {
    async function threeFeeds() {
      const fixture = createServerFixture()
      const entriesAt = (...agoHours: number[]) => agoHours.map((ago, i) => ({ title: `${i}`, agoMs: ago * HOUR }))
      const feed = (name: string, folder: string, entries: ReturnType<typeof entriesAt>) =>
        fixture.addFeed({ url: `https://${name}.example/feed`, title: name, folder, entries })
      const tides = await feed('tides', 'Water', entriesAt(0, 2, 2))
      const rivers = await feed('rivers', 'Water / Fresh', entriesAt(5))
      const stones = await feed('stones', 'Land', entriesAt(1))
      await fixture.store.changeFeed(tides, { ownCategory: 'science' })
      await fixture.store.changeFeed(stones, { ownCategory: 'science' })
      const hours = async (query: string) =>
        (await linesAt(fixture, `hours?${query}`)).map(({ at, entries }) => [at.slice(11, 13), entries])
      return { ...fixture, tides, rivers, hours }
    }

    test('lists all hours of one feed up to the current hour, including empty ones', async () => {
      const { tides, hours, ...fixture } = await threeFeeds()
      expect(await linesAt(fixture, `hours?feed=${tides}`)).toEqual([
        { at: '2026-03-14T07:00:00.000Z', entries: 2, copies: 0 },
        { at: '2026-03-14T08:00:00.000Z', entries: 0, copies: 0 },
        { at: '2026-03-14T09:00:00.000Z', entries: 1, copies: 0 },
      ])
      expect(await hours(`feed=${tides}&since=2026-03-14T06:40:00Z`)).toEqual([
        ['06', 0],
        ['07', 2],
        ['08', 0],
        ['09', 1],
      ])
      expect(await hours(`feed=${tides}&since=2030-01-01`)).toEqual([])
    })

    test('lists the feeds of a folder with its subfolders, and of a category', async () => {
      const { hours, tides, rivers } = await threeFeeds()
      expect(await hours('folder=Water')).toEqual([
        ['04', 1],
        ['05', 0],
        ['06', 0],
        ['07', 2],
        ['08', 0],
        ['09', 1],
      ])
      expect(await hours('category=science')).toEqual([
        ['07', 2],
        ['08', 1],
        ['09', 1],
      ])
      expect(await hours('category=science&folder=Water')).toEqual(await hours(`feed=${tides}`))
      expect(await hours(`category=science&feed=${rivers}`)).toEqual([])
    })

    test.each([
      ['feed=99', 404, 'there is no feed 99'],
      ['folder=Sand', 404, 'no feed is in the folder "Sand"'],
      ['category=poetry', 404, 'no feed is in the category "poetry"'],
      ['feed=tides', 400, expect.stringContaining('feed')],
      ['since=yesterday', 400, expect.stringContaining('since')],
      ['fold=Water', 400, expect.stringContaining('fold')],
    ])('rejects %s with a hint', async (query, status, title) => {
      const { app } = await threeFeeds()
      const response = await app.request(`/api/v1/export/hours?${query}`)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ title, hint: expect.stringMatching(/./) })
    })
  })

  test('reads the store on demand, and stops when the client disconnects', async () => {
    const fixture = await filled(1000)
    let read = 0
    let isOver = false
    const { everyEntry } = fixture.store
    fixture.store.everyEntry = async function* (filter) {
      try {
        for await (const entry of everyEntry(filter)) {
          read++
          yield entry
        }
      } finally {
        isOver = true
      }
    }
    const response = await fixture.app.request('/api/v1/export/entries')
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    expect(value!.length).toBeGreaterThan(60_000)
    expect(read).toBeLessThan(150)
    await reader.cancel()
    expect(isOver).toBe(true)
  })
})
