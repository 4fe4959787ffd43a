/** What a page of another site, or of another port of this machine, can make a browser do here while nobody has to log in: nothing. */
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
  const stage = createServerFixture()
  const entries = [{ title: 'High', agoMs: 1000 }]
  await stage.addFeed({ url: 'https://tides.example/feed', title: 'Tides', entries })
  const personId = await stage.store.firstPerson()
  await stage.store.mark(personId, [1 as EntryId], 'unread', 0)
  const state = async () => ({
    marks: await stage.store.marksOf(personId, [1 as EntryId]),
    followed: await stage.store.readings(personId, { limit: 10 }),
    waiting: await stage.store.waitingReadings(personId, { limit: 10 }),
    feeds: await stage.store.feedsById([1 as FeedId]),
  })
  const ask = (path: string, init: RequestInit = {}) => stage.app.request(`http://localhost${path}`, init)
  return { ...stage, state, ask }
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

test.each(CHANGES)('%s changes nothing as GET or HEAD, whoever asks', async (path) => {
  const { ask, state } = await withEntry()
  const before = await state()
  for (const method of ['GET', 'HEAD'])
    for (const headers of [{}, { 'sec-fetch-site': 'none' }, ...FOREIGN])
      await ask(path, { method, headers } as RequestInit)
  expect(await state()).toEqual(before)
})

test.each(CHANGES)('%s changes nothing as POST, if a page of somebody else sends it', async (path) => {
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
  test.each(FOREIGN)('is refused to a page with %j', async (foreign) => {
    const { ask } = await withEntry()
    const headers = { ...JSON_TYPE, ...foreign } as Record<string, string>
    const isRead = method === 'get'
    const init = { method: method.toUpperCase(), headers, ...(!isRead && { body: '{}' }) }
    expect((await ask(path.replaceAll(/\{\w+\}/g, '1'), init)).status).toBe(403)
  })
})

test('our own page, a user who types an address, and programs may', async () => {
  for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
    const { ask, state } = await withEntry()
    const marked = await ask('/fever/?api', {
      method: 'POST',
      headers: { ...FORM, ...headers } as Record<string, string>,
      body: 'mark=item&as=read&id=1',
    })
    expect(marked.status).toBe(200)
    expect((await state()).marks).toMatchObject([{ read: true }])
  }
})

test('a feed is added by GET with the token that only those know who can read an answer', async () => {
  const { ask, state } = await withEntry()
  const token = await (await ask('/reader/api/0/token')).text()
  expect(token).not.toBe(await (await (await withEntry()).ask('/reader/api/0/token')).text())
  const path = '/reader/api/0/subscription/quickadd?quickadd=rubbish'
  expect((await ask(path)).status).toBe(403)
  expect((await ask(`${path}&T=${token}`)).status).toBe(400) // it is no address
  expect((await state()).waiting).toEqual([])
})
