/** What one request to the API may bring and may ask for. */
import { describe, expect, test } from 'vitest'
import { createStage } from '../../test/stage.ts'
import type { EntryId, SavedSearchId } from '../model/index.ts'

const { app } = createStage()
const asked = async (path: string) => (await app.request(`http://localhost${path}`)).status

describe('a list', () => {
  test.each([
    ['/api/v1/feeds', 1000],
    ['/api/v1/entries', 1000],
    ['/api/v1/sources', 1000],
    ['/api/v1/polls', 1000],
    ['/api/v1/groups', 500],
  ])('%s has %i at most', async (path, most) => {
    expect([await asked(`${path}?limit=${most}`), await asked(`${path}?limit=${most + 1}`)]).toEqual([200, 400])
  })

  test('is searched by a thousand characters at most', async () => {
    const q = (length: number) => `/api/v1/entries?q=${'x'.repeat(length)}`
    expect([await asked(q(1000)), await asked(q(1001))]).toEqual([200, 400])
  })
})

describe('of one person', () => {
  const ADDED = 0

  async function filled(kind: 'searches' | 'feeds-out' | 'webhooks', count: number) {
    const { app, store } = createStage()
    const personId = await store.firstPerson()
    const search = (name: string) => store.addSavedSearch({ personId, name, query: 'tide', addedAt: ADDED })
    const searchId = (await search('first')) as SavedSearchId
    const url = 'https://in.example/'
    const hook = { personId, url, secret: 'x', searchId, state: 'active' as const, addedAt: ADDED, dueAt: ADDED }
    const river = { personId, of: { kind: 'river' as const }, text: 'full' as const, addedAt: ADDED }
    for (let i = kind === 'searches' ? 1 : 0; i < count; i++) {
      if (kind === 'searches') await search(`search ${i}`)
      else if (kind === 'feeds-out') await store.addFeedOut({ ...river, name: `feed ${i}`, key: `key-${i}` })
      else await store.addWebhook({ ...hook, name: `hook ${i}`, cursor: 0 as EntryId })
    }
    const bodies = {
      searches: { name: 'one more', query: 'tide' },
      'feeds-out': { name: 'one more', of: { kind: 'river' } },
      webhooks: { name: 'one more', url, search: searchId },
    }
    return async () => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(bodies[kind]) }
      const answer = await app.request(`http://localhost/api/v1/${kind}`, init)
      return [answer.status, await answer.text()]
    }
  }

  test.each([
    ['searches', 500],
    ['feeds-out', 500],
    ['webhooks', 100],
  ] as const)('there are, of %s, %i at most', async (kind, most) => {
    const add = await filled(kind, most - 1)
    expect((await add())[0]).toBe(201)
    expect(await add()).toEqual([409, expect.stringContaining(String(most))])
  })

  test('ten thousand entries are marked in one request at most', async () => {
    const { app } = createStage()
    const ask = async (count: number) => {
      const entries = Array.from({ length: count }, (_, i) => Number.MAX_SAFE_INTEGER - i)
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ entries, as: 'read' }) }
      return (await app.request('http://localhost/api/v1/reading/marks', init)).status
    }
    expect([await ask(10_000), await ask(10_001)]).toEqual([200, 400])
  })
})

describe('a body', () => {
  const MOST = 64 * 1024 * 1024
  const CHUNK = 1024 * 1024

  /** Spaces, which are no JSON, but only whoever has read all of them knows. */
  async function sent(bytes: number, headers: Record<string, string> = {}, path = '/api/v1/feeds') {
    let left = bytes
    const body = new ReadableStream({
      pull(controller) {
        const size = Math.min(CHUNK, left)
        left -= size
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(32))
        else controller.close()
      },
    })
    const type = { 'content-type': 'application/json', ...headers }
    const init = { method: 'POST', headers: type, body, duplex: 'half' } as RequestInit
    return (await app.request(`http://localhost${path}`, init)).status
  }

  test('with a list of feeds has 64 MB at most, announced or in chunks', async () => {
    expect(await sent(9, { 'content-length': `${MOST + 1}` })).toBe(413)
    expect(await sent(MOST + CHUNK)).toBe(413)
    expect(await sent(MOST)).toBe(400)
    for (const path of ['/api/v1/subscriptions', '/v1/import']) {
      expect(await sent(9, { 'content-length': `${MOST + 1}` }, path)).toBe(413)
      expect(await sent(CHUNK, {}, path)).toBe(400)
    }
  })
})
