/** Without login, pages of other sites and of other ports of this machine cannot make a browser change anything. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { OPERATIONS } from '../api/index.ts'
import type { EntryId, FeedId } from '../model/index.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const FOREIGN = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'something-new' },
  { origin: 'http://localhost:3000' },
]

async function withEntry() {
  const fixture = createServerFixture()
  const entries = [{ title: 'High', agoMs: 1000 }]
  await fixture.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  const userId = await fixture.store.firstUser()
  await fixture.store.markEntries(userId, [1 as EntryId], 'unread', 0)
  const state = async () => ({
    marks: await fixture.store.entryStates(userId, [1 as EntryId]),
    followed: await fixture.store.subscriptionsOf(userId, { limit: 10 }),
    waiting: await fixture.store.pendingSubscriptions(userId, { limit: 10 }),
    feeds: await fixture.store.feedsById([1 as FeedId]),
  })
  const ask = (path: string, init: RequestInit = {}) => fixture.app.request(`http://localhost${path}`, init)
  return { ...fixture, state, ask }
}

const CHANGES = [
  ['/fever/?api&mark=item&as=read&id=1'],
  ['/api/fever.php?api&mark=item&as=read&id=1'],
  ['/api/fever.php/x?api&mark=item&as=read&id=1'],
  ['/fever?api&mark=feed&as=read&id=1&before=9999999999'],
  ['/reader/api/0/subscription/quickadd?quickadd=https://evil.example/'],
  ['/api/greader.php/reader/api/0/subscription/quickadd?quickadd=https://evil.example/'],
  ['/reader/api/0/subscription/quickadd?quickadd=https://evil.example/&T='],
  ['/reader/api/0/edit-tag?i=1&a=user/-/state/com.google/read'],
  ['/reader/api/0/mark-all-as-read?s=feed/1'],
] as const

test.each(CHANGES)('%s changes nothing as GET or HEAD', async (path) => {
  const { ask, state } = await withEntry()
  const before = await state()
  for (const method of ['GET', 'HEAD'])
    for (const headers of [{}, { 'sec-fetch-site': 'none' }, ...FOREIGN])
      await ask(path, { method, headers } as RequestInit)
  expect(await state()).toEqual(before)
})

test.each(CHANGES)('%s changes nothing as POST from another site', async (path) => {
  const { ask, state } = await withEntry()
  const before = await state()
  for (const foreign of FOREIGN) {
    const headers = { ...FORM, ...foreign } as Record<string, string>
    expect((await ask(path, { method: 'POST', headers, body: '' })).status).toBe(403)
  }
  expect(await state()).toEqual(before)
})

describe.each(
  Object.values(OPERATIONS).filter((one) => one.method !== 'get' || !['none', 'read'].includes(one['x-scope'])),
)('$operationId', ({ method, path }) => {
  test.each(FOREIGN)('is rejected from a page with %j', async (foreign) => {
    const { ask } = await withEntry()
    const headers = { ...JSON_TYPE, ...foreign } as Record<string, string>
    const isRead = method === 'get'
    const init = { method: method.toUpperCase(), headers, ...(!isRead && { body: '{}' }) }
    expect((await ask(path.replaceAll(/\{\w+\}/g, '1'), init)).status).toBe(403)
  })
})

test('accepts changes by the page, typed addresses and programs', async () => {
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
    const { ask, state } = await withEntry()
    const response = await ask('/fever/?api', {
      method: 'POST',
      headers: { ...FORM, ...headers } as Record<string, string>,
      body: 'mark=item&as=read&id=1',
    })
    expect(response.status).toBe(200)
    expect((await state()).marks).toMatchObject([{ read: true }])
  }
})

test('adds a feed by GET only with an action token', async () => {
  const { ask, state } = await withEntry()
  const token = await (await ask('/reader/api/0/token')).text()
  expect(token).not.toBe(await (await (await withEntry()).ask('/reader/api/0/token')).text())
  const path = '/reader/api/0/subscription/quickadd?quickadd=rubbish'
  expect((await ask(path)).status).toBe(403)
  expect((await ask(`${path}&T=${token}`)).status).toBe(400) // not an address
  expect((await state()).waiting).toEqual([])
})
