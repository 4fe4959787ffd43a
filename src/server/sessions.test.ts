/** The list of sessions of a user, and what ends them. */
import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import type { UserSessionShape } from '../api/index.ts'
import { hashPassword } from '../credentials/index.ts'
import { HOUR, MINUTE } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

const PASSWORD = 'correct horse battery'
const HASH = hashPassword(PASSWORD)

async function createScene() {
  const trustProxy = new BlockList()
  trustProxy.addAddress('192.0.2.1')
  const fixture = createServerFixture({ trustProxy })
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  for (const name of ['ada', 'bob'])
    await fixture.store.addUser({ name, scope: 'admin', addedAt: 0, password: await HASH })
  const env = { incoming: { socket: { remoteAddress: '192.0.2.1', remotePort: 1, remoteFamily: 'IPv4' } } }
  const ask = (path: string, method = 'GET', { body, ...headers }: Record<string, string> = {}) =>
    fixture.app.request(
      `http://localhost/api/v1/${path}`,
      { method, headers: { 'content-type': 'application/json', ...headers }, ...(body && { body }) },
      env,
    )
  const logIn = async (name: string, agent: string, headers = {}) => {
    const body = JSON.stringify({ name, password: PASSWORD })
    const response = await ask('session', 'POST', { body, 'user-agent': agent, ...headers })
    return response.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const list = async (cookie: string) =>
    ((await (await ask('sessions', 'GET', { cookie })).json()) as { sessions: UserSessionShape[] }).sessions
  return { ...fixture, accounts, ask, logIn, list }
}

test('sessions are listed with browser, address and last use, the most recent first', async () => {
  const { logIn, list, clock } = await createScene()
  const phone = await logIn('ada', 'Phone', { 'x-forwarded-for': '198.51.100.7' })
  await clock.advance(HOUR)
  const desk = await logIn('ada', 'Desk')
  await logIn('bob', 'Other')
  expect(await list(desk)).toMatchObject([
    { name: 'Desk', kind: 'browser', method: 'password', address: '192.0.2.1', isCurrent: true },
    { name: 'Phone', address: '198.51.100.7', addedAt: '2026-03-14T09:26:53.000Z' },
  ])
  await clock.advance(HOUR)
  expect((await list(phone)).map(({ name }) => name)).toEqual(['Phone', 'Desk'])
})

test('one session or all others are ended by their user', async () => {
  const { logIn, list, ask, accounts } = await createScene()
  const [one, two, three] = [await logIn('ada', '1'), await logIn('ada', '2'), await logIn('ada', '3')]
  const bob = await logIn('bob', 'Other')
  const id = (await list(two)).find(({ isCurrent }) => isCurrent)?.id
  expect((await ask(`sessions/${id}`, 'DELETE', { cookie: bob })).status).toBe(404)
  expect((await ask(`sessions/${id}`, 'DELETE', { cookie: one })).status).toBe(204)
  expect((await ask('feeds', 'GET', { cookie: two })).status).toBe(401)
  const [ada] = await accounts.list()
  const { secret, token } = await accounts.addToken(ada!.id, { name: 'program', scope: 'admin' })
  expect((await ask(`sessions/${token.id}`, 'DELETE', { cookie: one })).status).toBe(404)
  expect((await ask('sessions', 'DELETE', { cookie: one })).status).toBe(204)
  expect((await ask('feeds', 'GET', { cookie: three })).status).toBe(401)
  expect((await ask('feeds', 'GET', { cookie: one })).status).toBe(200)
  const authorization = `Bearer ${secret}`
  expect((await ask('feeds', 'GET', { authorization })).status).toBe(200)
  for (const method of ['GET', 'DELETE']) expect((await ask('sessions', method, { authorization })).status).toBe(403)
  expect(await list(bob)).toHaveLength(1)
})

test('signing in again replaces the session of that browser', async () => {
  const { logIn, list, ask, clock } = await createScene()
  const before = await logIn('ada', 'Desk')
  await clock.advance(MINUTE)
  const after = await logIn('ada', 'Desk', { cookie: before })
  expect(await list(after)).toHaveLength(1)
  expect((await ask('feeds', 'GET', { cookie: before })).status).toBe(401)
})
