/** Read state and saved searches on the command line, with and without a running crawl. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog, defaultConfig, openCrawl, startServer } from '../app/index.ts'
import type { FeedId, UserId } from '../model/index.ts'
import { draft, record, START } from '../ports/store-samples.contract.ts'
import { createAccounts } from '../server/index.ts'
import { migrate, readMigrations } from '../stores/sqlite/migrate.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let store: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-mark-'))
  store = join(folder, 'test.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) => runCommandLine(words, { environment: { FRESHET_STORE: store } })
const config = () => ({ ...defaultConfig(), store, port: 0 })

/** Two feeds whose entries the first user has not read. */
async function filled() {
  const crawl = await openCrawl(config())
  await crawl.crawler.subscribe([
    { url: 'https://a.example/feed', kind: 'feed', folder: 'News' },
    { url: 'https://b.example/feed', kind: 'feed' },
  ])
  await crawl.store.recordPolls([
    record(1 as FeedId, START, { fresh: [draft('a1', { title: 'Flood' }), draft('a2')] }),
    record(2 as FeedId, START, { fresh: [draft('b1')] }),
  ])
  return crawl
}

async function unread(...more: string[]): Promise<string[]> {
  const { out } = await freshet('entries', '--unread', '--json', ...more)
  return out.map((line) => `e${JSON.parse(line).id}`).sort()
}

it('upgrades a store of an older version', async () => {
  const db = new Database(store)
  migrate(db, store, readMigrations().slice(0, -1))
  db.close()
  expect(await freshet('mark', '--all')).toMatchObject({ code: 0, out: ['0 entries read'] })
})

it('marks entries, feeds and folders, and undoes it', async () => {
  await (await filled()).close()
  expect(await unread()).toEqual(['e1', 'e2', 'e3'])
  expect((await freshet('mark', 'e1', '3')).out[0]).toMatch(/^2 entries read; undo with freshet mark --undo \d+$/)
  expect(await unread()).toEqual(['e2'])
  const undo = /--undo (\d+)/.exec((await freshet('mark', '--folder', 'news')).out[0]!)![1]!
  expect(await unread()).toEqual([])
  expect((await freshet('mark', '--undo', undo)).out).toEqual(['1 entry restored'])
  expect(await unread('--folder', 'News')).toEqual(['e2'])
  expect((await freshet('mark', '--all', '--before', '2020-01-01')).out[0]).toMatch(/^0 entries read/)
  expect((await freshet('mark', '--feed', '1', '--json')).out.map((line) => JSON.parse(line))).toMatchObject([
    { marked: 1 },
  ])
  await freshet('mark', 'e2', '--star')
  const starred = await freshet('entries', '--starred', '--json')
  expect(starred.out.map((line) => JSON.parse(line))).toMatchObject([{ id: 2, starred: true, read: true }])
})

it('reports unknown entries and changes, and marks the others', async () => {
  await (await filled()).close()
  const some = await freshet('mark', 'e1', 'e77')
  expect([some.code, some.out[0], some.notes]).toEqual([1, expect.stringMatching(/^1 entry read/), noEntry('e77')])
  const unknown = await freshet('mark', 'e77', '--star')
  expect([unknown.code, unknown.out, unknown.notes]).toEqual([1, [], noEntry('e77')])
  const again = await freshet('mark', 'e1')
  expect([again.code, again.out]).toEqual([0, ['nothing changed: all were read already']])
  const undone = await freshet('mark', '--undo', '99')
  expect([undone.code, undone.notes]).toEqual([1, expect.stringMatching(/change 99 can no longer be undone/)])
})

const noEntry = (id: string) => expect.stringMatching(new RegExp(`there is no entry ${id}\\n`))

it.each([
  ['search', 'list'],
  ['search', 'save', 'flood', 'flood'],
  ['mark', 'e1'],
  ['mark', '--all'],
  ['user', 'list'],
  ['user', 'remove', 'ada'],
  ['token', 'list', 'ada'],
])('does not create a missing store: %s %s', async (...words) => {
  const { code, notes } = await freshet(...words)
  expect([code, notes]).toEqual([3, expect.stringMatching(/could not open .*: there is no such file/)])
  expect(await readdir(folder)).toEqual([])
})

it('lists searches and accounts of a store in use without contacting its owner', async () => {
  const crawl = await filled()
  expect((await freshet('search', 'list')).code).toBe(0)
  expect((await freshet('user', 'list')).code).toBe(0)
  await crawl.close()
})

it('sends changes to the running crawl', async () => {
  const crawl = await filled()
  const silent = createLog({ level: 'error', format: 'text', now: Date.now, write: () => {} })
  const server = await startServer(config(), crawl, silent)
  try {
    expect((await freshet('mark', 'e1')).out[0]).toMatch(/^1 entry read/)
    expect((await freshet('mark', '--all')).out[0]).toMatch(/^2 entries read/)
    expect((await freshet('search', 'save', 'Flood', 'flood')).out).toEqual(['saved: Flood'])
    expect((await freshet('search', 'save', 'x', 'OR')).code).toBe(2)
    expect(await crawl.store.sharedItems('search', await crawl.store.firstUser())).toMatchObject([{ name: 'Flood' }])
  } finally {
    await server.close()
    await crawl.close(0)
  }
})

describe('with --user', () => {
  /** Bob follows the second feed and has not read its entries. */
  async function withBob() {
    const crawl = await filled()
    const added = { scope: 'write' as const, addedAt: START, password: '' }
    await crawl.store.addUser({ ...added, name: 'ada', scope: 'admin' })
    const bob = (await crawl.store.addUser({ ...added, name: 'bob' })) as UserId
    await crawl.store.follow(bob, [{ feedId: 2 as FeedId, folder: 'Bobs' }], START, 10)
    return { crawl, bob }
  }

  async function isUnchangedForBob() {
    const feeds = async (...more: string[]) =>
      (await freshet('feeds', '--json', ...more)).out.map((line) => JSON.parse(line))
    expect([(await feeds()).length, (await feeds('--user', 'bob')).length]).toEqual([2, 1])
    expect(await feeds('--user', 'bob')).toMatchObject([{ id: 2, folder: 'Bobs' }])
    const entries = async (...more: string[]) => (await freshet('export', 'entries', ...more)).out.length
    expect([await entries(), await entries('--user', 'bob')]).toEqual([3, 1])
    const [all, bobs] = [await freshet('export', 'opml'), await freshet('export', 'opml', '--user', 'bob')]
    expect(bobs.out.join('').match(/xmlUrl/g)).toHaveLength(1)
    expect(all.out.join('').match(/xmlUrl/g)).toHaveLength(2)
    const withPasswords = await freshet('export', 'opml', '--with-passwords', '--user', 'bob')
    expect(withPasswords.out.join('').match(/xmlUrl/g)).toHaveLength(1)
    expect(await unread('--user', 'bob')).toEqual(['e3'])
    expect(await unread('--user', 'bob', '--folder', 'Bobs')).toEqual(['e3'])
    expect((await freshet('mark', '--all', '--user', 'Bob')).out[0]).toMatch(/^1 entry read/)
    expect([await unread('--user', 'bob'), await unread()]).toEqual([[], ['e1', 'e2', 'e3']])
    expect((await freshet('search', 'save', 'His', 'tide', '--user', 'bob')).out).toEqual(['saved: His'])
    expect((await freshet('search', 'list')).notes).toMatch(/no saved searches/)
    const added = await freshet('import', '--user', 'bob', join(folder, 'list.txt'))
    expect(added.code, added.notes).toBe(0)
    const nobody = await freshet('mark', '--all', '--user', 'carol')
    expect([nobody.code, nobody.notes]).toEqual([expect.any(Number), expect.stringMatching(/there is no user "carol"/)])
    expect(nobody.code).toBeGreaterThan(0)
  }

  beforeEach(() => writeFile(join(folder, 'list.txt'), 'https://a.example/feed\n'))

  it('acts as that user', async () => {
    const { crawl } = await withBob()
    await crawl.close()
    await isUnchangedForBob()
    const after = await openCrawl(config())
    const bob = (await after.store.userByName('bob'))!.id
    const followed = (await after.store.subscriptionsOf(bob, { limit: 10 })).map(({ feedId }) => feedId)
    const waiting = await after.store.pendingSubscriptions(bob, { limit: 10 })
    expect([followed.length + waiting.length, followed]).toEqual([2, expect.arrayContaining([2])])
    await after.close()
  })

  it('acts as that user through a running crawl, which accepts only the local key for it', async () => {
    const { crawl } = await withBob()
    const silent = createLog({ level: 'error', format: 'text', now: Date.now, write: () => {} })
    const server = await startServer(config(), crawl, silent)
    try {
      await isUnchangedForBob()
      const ada = (await crawl.store.userByName('ada'))!
      const accounts = createAccounts({ users: crawl.store, clock: crawl.clock })
      const { secret } = await accounts.addToken(ada.id, { name: 't', scope: 'admin' })
      const headers = { authorization: `Bearer ${secret}`, 'freshet-user': 'bob' }
      const answer = await fetch(`${server.url}/api/v1/searches`, { headers })
      expect(await answer.json()).toEqual({ searches: [] }) // hers
    } finally {
      await server.close()
      await crawl.close(0)
    }
  })
})

it('saves searches under unique names', async () => {
  await (await filled()).close()
  expect((await freshet('search', 'list')).notes).toMatch(/no saved searches/)
  await freshet('search', 'save', 'Flood', 'flood', 'is:unread')
  expect((await freshet('search', 'save', 'flood', 'flood', 'high water')).out).toEqual(['saved: flood'])
  const { searches } = JSON.parse((await freshet('search', 'list', '--json')).out.join(''))
  expect(searches).toMatchObject([{ name: 'Flood', query: 'flood "high water"' }])
  expect((await freshet('search', 'remove', 'FLOOD')).out).toEqual(['removed: Flood'])
  expect((await freshet('search', 'remove', 'flood')).notes).toMatch(/there is no saved search "flood"/)
})

it.each([
  [['mark'], /nothing to mark is given/],
  [['mark', 'e1', '--all'], /cannot be combined/],
  [['mark', 'x'], /"x" is not an entry number/],
  [['mark', 'e1', '--read', '--star'], /cannot be combined/],
  [['mark', '--undo', 'x'], /--undo cannot be "x"/],
])('rejects %j with what is expected', async (words, message) => {
  await (await filled()).close()
  const ran = await freshet(...words)
  expect(ran.code).toBe(2)
  expect(ran.notes).toMatch(message)
})
