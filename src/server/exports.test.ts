/** Everything out over the API: as the command line has it, and no faster than it is taken. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import { HOUR } from '../model/index.ts'

async function filled(count: number) {
  const stage = createServerFixture()
  const entries = Array.from({ length: count }, (_, i) => ({
    title: `Tide ${i}`,
    content: `<p>${'water '.repeat(200)}</p>`,
    agoMs: i * HOUR,
  }))
  const id = await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  return { ...stage, id }
}

async function linesAt(stage: ReturnType<typeof createServerFixture>, path: string) {
  const text = await (await stage.app.request(`/api/v1/export/${path}`)).text()
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
  ])('of %s is one object a line, each as it is described', async (what, { responses }) => {
    const lines = await linesAt(await filled(3), what)
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) responses[200].content['application/x-ndjson'].schema.parse(line)
  })

  test('is narrowed down, and goes on behind an entry', async () => {
    const stage = await filled(5)
    const titles = async (query: string) => (await linesAt(stage, `entries?${query}`)).map(({ title }) => title)
    expect(await titles('after=3')).toEqual(['Tide 3', 'Tide 4'])
    expect(await titles('feed=99')).toEqual([])
    expect(await linesAt(stage, 'articles')).toEqual([])
  })

  test('gives entries with the titles of their feeds where it is asked to', async () => {
    const stage = await filled(1)
    expect(await linesAt(stage, 'entries?with=article')).toMatchObject([{ title: 'Tide 0', feedTitle: 'Tides' }])
    expect((await linesAt(stage, 'entries'))[0]).not.toHaveProperty('feedTitle')
    expect((await stage.app.request('/api/v1/export/articles?with=article')).status).toBe(400)
  })

  describe('of hours', () => {
    async function threeFeeds() {
      const stage = createServerFixture()
      const said = (...agoHours: number[]) => agoHours.map((ago, i) => ({ title: `${i}`, agoMs: ago * HOUR }))
      const feed = (name: string, folder: string, entries: ReturnType<typeof said>) =>
        stage.addFeed({ url: `https://${name}.example/feed`, title: name, folder, entries })
      const tides = await feed('tides', 'Water', said(0, 2, 2))
      const rivers = await feed('rivers', 'Water / Fresh', said(5))
      const stones = await feed('stones', 'Land', said(1))
      await stage.store.changeFeed(tides, { ownCategory: 'science' })
      await stage.store.changeFeed(stones, { ownCategory: 'science' })
      const hours = async (query: string) =>
        (await linesAt(stage, `hours?${query}`)).map(({ at, entries }) => [at.slice(11, 13), entries])
      return { ...stage, tides, rivers, hours }
    }

    test('has one feed hour by hour up to the present one, the quiet ones included', async () => {
      const { tides, hours, ...stage } = await threeFeeds()
      expect(await linesAt(stage, `hours?feed=${tides}`)).toEqual([
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

    test('has the feeds of a folder, with those below it, and of a category', async () => {
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
    ])('says what is wrong with %s', async (query, status, title) => {
      const { app } = await threeFeeds()
      const response = await app.request(`/api/v1/export/hours?${query}`)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ title, hint: expect.stringMatching(/./) })
    })
  })

  test('reads no more of the store than is taken, and lets go of it when nobody takes more', async () => {
    const stage = await filled(1000)
    let read = 0
    let isOver = false
    const { everyEntry } = stage.store
    stage.store.everyEntry = async function* (filter) {
      try {
        for await (const entry of everyEntry(filter)) {
          read++
          yield entry
        }
      } finally {
        isOver = true
      }
    }
    const response = await stage.app.request('/api/v1/export/entries')
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    expect(value!.length).toBeGreaterThan(60_000)
    expect(read).toBeLessThan(150)
    await reader.cancel()
    expect(isOver).toBe(true)
  })
})
