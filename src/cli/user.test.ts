import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog, defaultConfig, openCrawl, startServer } from '../app/index.ts'
import { createClient } from '../client/index.ts'
import { runCommandLine } from './program.fixture.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-user-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (words: string[], stdin = '') =>
  runCommandLine(words, {
    environment: { FRESHET_STORE: join(folder, 'test.db') },
    stdin: async function* () {
      yield Buffer.from(stdin)
    },
  })

it('adds users, generates passwords, and shows their access', async () => {
  await freshet(['import', '-'], 'https://a.example/')
  expect((await freshet(['user', 'list'])).out).toEqual([
    'No accounts: nobody has to log in. Add one with freshet user add NAME',
  ])
  const { out } = await freshet(['user', 'add', 'ada'])
  expect(out[0]).toBe('ada may do everything')
  expect(out[1]).toMatch(/^password: [a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  expect((await freshet(['user', 'add', 'bob', '--password-stdin'], 'quite long enough\nnot this')).out).toEqual([
    'bob may read and write',
  ])
  expect((await freshet(['user', 'scope', 'bob', 'read'])).out).toEqual(['bob may read'])
  const { users } = JSON.parse((await freshet(['user', 'list', '--json'])).out.join(''))
  expect(users).toMatchObject([
    { name: 'ada', scope: 'admin' },
    { name: 'bob', scope: 'read' },
  ])
  expect((await freshet(['user', 'remove', 'bob'])).out).toEqual(['removed: bob'])
})

it('removes the second factor of a user who has lost it', async () => {
  await freshet(['user', 'add', 'ada'])
  const { users, userValues, clock, close } = await openCrawl({ ...defaultConfig(), store: join(folder, 'test.db') })
  const [ada] = await users.allUsers()
  const value = { addedAt: clock.now(), secrets: '{"secret":"GEZDGNBV","recoveryCodes":[]}' }
  await userValues.putUserValues(ada!.id, 'secondFactor', [{ key: 'active', value }], clock.now())
  await close()
  expect((await freshet(['user', 'remove-second-factor', 'ada'])).out).toEqual([
    'ada logs in with the password alone now',
  ])
  expect((await freshet(['user', 'remove-second-factor', 'ada'])).code).toBe(2)
})

it.each([
  [['user', 'add', 'a b'], /is not a valid user name\nhint: /],
  [['user', 'add', 'bob', '--scope', 'everything'], /not a valid scope\nhint: expected one of/],
  [['user', 'remove', 'zoe'], /there is no user zoe/],
  [['user', 'remove', 'ada'], /last admin/],
  [['user', 'remove-second-factor', 'ada'], /ada has no second factor/],
  [['user', 'add', 'ADA'], /there already is a user called ADA/],
  [['token', 'revoke', 'ada', 'x'], /not the number of a token/],
  [['token', 'revoke', 'ada', '99'], /there is no token 99/],
])('rejects %j with a hint', async (words, message) => {
  await freshet(['user', 'add', 'ada'])
  const { code, notes } = await freshet(words)
  expect([code, notes]).toEqual([2, expect.stringMatching(message)])
})

it('works through a running crawl, which then requires a login', async () => {
  const config = { ...defaultConfig(), store: join(folder, 'test.db'), port: 0 }
  const crawl = await openCrawl(config)
  const log = createLog({ level: 'silent', format: 'text', write() {}, now: crawl.clock.now })
  const server = await startServer(config, crawl, log)
  try {
    await freshet(['user', 'add', 'ada', '--password-stdin'], 'quite long enough')
    await expect(createClient(server).listFeeds()).rejects.toMatchObject({ status: 401 })
    const { secret } = JSON.parse((await freshet(['token', 'add', 'ada', '--name', 'reader', '--json'])).out.join(''))
    const client = createClient({ ...server, token: secret })
    expect((await client.listFeeds()).feeds).toEqual([])
    await expect(client.addFeeds({ body: { addresses: ['https://a.example'] } })).rejects.toMatchObject({ status: 403 })
    expect((await freshet(['token', 'list', 'ada'])).out.join('\n')).toMatch(/1 {2}reader {2}read/)
    expect((await freshet(['token', 'revoke', 'ada', '1'])).out).toEqual(['token 1 is revoked'])
    await expect(client.listFeeds()).rejects.toMatchObject({ status: 401 })
    expect((await freshet(['status'])).code).toBe(0)
  } finally {
    await server.close()
    await crawl.close(0)
  }
})
