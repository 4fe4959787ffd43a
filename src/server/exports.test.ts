/** Everything out over the API: as the command line has it, and no faster than it is taken. */
import { describe, expect, test } from 'vitest'
import { createStage } from '../../test/stage.ts'
import { OPERATIONS } from '../api/index.ts'
import { HOUR } from '../model/index.ts'

async function filled(count: number) {
  const stage = createStage()
  const entries = Array.from({ length: count }, (_, i) => ({
    title: `Tide ${i}`,
    content: `<p>${'water '.repeat(200)}</p>`,
    agoMs: i * HOUR,
  }))
  const id = await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  return { ...stage, id }
}

async function linesAt(stage: ReturnType<typeof createStage>, path: string) {
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
    ['polls', OPERATIONS.exportPolls],
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
