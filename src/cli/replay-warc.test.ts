/** Replays the archive of a run on loopback sockets. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import { createVillage, type Village } from '../lab/index.ts'
import { type FeedId, HOUR } from '../model/index.ts'
import type { Store } from '../ports/index.ts'
import { openSqliteStore } from '../stores/index.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let village: Village
let closeVillage: () => Promise<void>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-replay-'))
  village = createVillage({
    clock: createSteppedClock(Date.now()),
    sites: [
      { name: 'gazette', title: 'The Gazette', feeds: [{ path: '/feed' }] },
      { name: 'miller', title: 'Notes from the Mill', feeds: [{ path: '/atom.xml', format: 'atom' }] },
    ],
  })
  closeVillage = (await village.listen()).close
  await run(home('gazette'), home('miller'))
})
afterEach(async () => {
  await closeVillage()
  await rm(folder, { recursive: true, force: true })
})

const run = (...addresses: string[]) =>
  freshet('run', '--once', ...addresses, '--port', '0', '--log', 'silent', '--archive', warc())
const home = (name: string) => village.site(name).home
const warc = () => join(folder, 'warc')

function freshet(...words: string[]) {
  const environment = {
    FRESHET_STORE: join(folder, 'test.db'),
    FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    FRESHET_HOST_GAP: '0',
    FRESHET_ARTICLES: 'always',
  }
  return runCommandLine(words, { environment })
}

async function replayed() {
  const { code, out } = await freshet('lab', 'replay', '--warc', warc(), '--json', '-')
  return { code, found: JSON.parse(out.join('\n')) }
}

async function inStore(work: (store: Store) => Promise<unknown>): Promise<void> {
  const { store } = openSqliteStore({ file: join(folder, 'test.db'), mode: 'write', now: Date.now })
  await work(store)
  await store.close()
}

const NOTHING = { poll: 0, entry: 0, date: 0, text: 0, due: 0 }

it('reproduces polls, entries, pages and due dates if the code has not changed', async () => {
  const { code, found } = await replayed()
  expect(found.differences).toEqual([])
  expect(found).toMatchObject({ differing: NOTHING, compared: { polls: 2, due: 2 } })
  expect(found.compared.entries).toBeGreaterThan(10)
  expect(found.compared.articles).toBeGreaterThan(10)
  expect(code).toBe(0)
  expect((await freshet('lab', 'replay', '--warc', warc())).out.at(-1)).toBe('no differences')
})

it('replays several polls including a 304', async () => {
  village.site('gazette').publish({ title: 'A goose came by itself' })
  await inStore(async (store) => {
    for (const id of [1, 2]) await store.changeFeed(id as FeedId, {}, { dueAt: 0 })
  })
  await run()
  const { found } = await replayed()
  expect(found.differences).toEqual([])
  expect(found.compared.polls).toBe(4)
})

it('reports differences, and exits with 1', async () => {
  await inStore(async (store) => {
    const [entry] = await store.entries({ feedId: 1 as FeedId, limit: 1 })
    const { id: _, feedId, seenAt, ...draft } = entry!
    const then = { ...draft, title: 'what an older version had read', publishedAt: draft.publishedAt! - HOUR }
    await store.recordEntries([{ feedId, at: seenAt, fresh: [], changed: [then] }])
    await store.changeFeed(1 as FeedId, {}, { dueAt: Date.now() + 99 * HOUR })
  })
  const { code, found } = await replayed()
  expect(code).toBe(1)
  expect(found.differing).toMatchObject({ ...NOTHING, date: 1, text: 1, due: 1 })
  expect(found.differences).toContainEqual(
    expect.objectContaining({ kind: 'text', feedId: 1, was: 'what an older version had read' }),
  )
  const { out } = await freshet('lab', 'replay', '--warc', warc())
  expect(out.join('\n')).toMatch(
    /^text: title of "what an older[\s\S]*then {2}what an older version had read\n {4}now/m,
  )
})

it('ignores categories that a user has set', async () => {
  await inStore(async (store) => {
    const [entry] = await store.entries({ feedId: 1 as FeedId, limit: 1 })
    const { id: _, feedId, seenAt, ...draft } = entry!
    await store.changeFeed(feedId, { ownCategory: 'geese' })
    await store.recordEntries([{ feedId, at: seenAt, fresh: [], changed: [{ ...draft, category: 'geese' }] }])
  })
  expect((await replayed()).found.differences).toEqual([])
})

it('requires either traces or an archive', async () => {
  for (const words of [[], ['--traces', 'a', '--warc', 'b']])
    expect(await freshet('lab', 'replay', ...words)).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/--traces or --warc is required/),
    })
})
