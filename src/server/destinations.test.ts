/** Destinations of two users over the API, and entries that are queued for them. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { type Destination, HOUR } from '../model/index.ts'
import { createAccounts } from './accounts.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the fixture
type Answer = { status: number; json: any; text: string }

async function started({ hasFolder = false } = {}) {
  const tested: { destination: Destination; title: string }[] = []
  let queued = 0
  const fixture = createServerFixture({
    sending: {
      sendEntry: async ({ destination, entry }) => {
        tested.push({ destination, title: entry.title })
        return { at: 0, status: 401, trouble: 'the server answered 401', isFinal: true }
      },
      hasFolder,
      onQueued: () => void queued++,
    },
  })
  await fixture.addFeed({
    url: 'https://tides.example/feed',
    title: 'Tides',
    entries: [{ title: 'High water', agoMs: HOUR, url: 'https://tides.example/1' }],
  })
  const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
  const as = async (name: string) => {
    const account = await accounts.add(name, 'correct horse battery')
    const { secret } = await accounts.addToken(account.id, { name: 't', scope: 'write' })
    return async (method: string, path: string, body?: object): Promise<Answer> => {
      const response = await fixture.app.request(`/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      })
      const text = await response.text()
      return { status: response.status, text, json: text ? JSON.parse(text) : undefined }
    }
  }
  const ada = await as('ada')
  const entryId = (await ada('GET', 'entries')).json.entries[0].id as number
  return { ...fixture, ada, bob: await as('bob'), tested, entryId, queuedCount: () => queued }
}

const links = {
  name: 'Links',
  preset: 'linkding',
  fields: { address: 'https://links.example', token: 'a secret token' },
}

describe('destinations', () => {
  test('are added, changed, tested and removed, and never show secrets', async () => {
    const { ada, tested } = await started()
    const added = await ada('POST', 'destinations', links)
    expect(added).toMatchObject({
      status: 201,
      json: { name: 'Links', fields: { address: 'https://links.example' }, secretFields: ['token'] },
    })
    const { id } = added.json
    const changed = await ada('PATCH', `destinations/${id}`, {
      name: 'Bookmarks',
      fields: { address: 'https://links.example/bookmarks' },
    })
    const listed = await ada('GET', 'destinations')
    expect(listed.json.destinations).toEqual([changed.json])
    expect(changed.json).toMatchObject({ name: 'Bookmarks', fields: { address: 'https://links.example/bookmarks' } })
    const result = await ada('POST', `destinations/${id}/test`)
    expect(result).toMatchObject({ status: 200, json: { status: 401, trouble: 'the server answered 401' } })
    expect(tested).toMatchObject([
      { destination: { secrets: { token: 'a secret token' } }, title: 'Test from Freshet' },
    ])
    for (const { text } of [added, changed, listed, result]) expect(text).not.toContain('a secret token')
    expect((await ada('DELETE', `destinations/${id}`)).status).toBe(204)
    expect((await ada('GET', 'destinations')).json.destinations).toEqual([])
  })

  test.each([
    [{ ...links, preset: 'carrier pigeon' }, 400],
    [{ ...links, fields: { address: 'https://links.example' } }, 400],
    [{ ...links, fields: { ...links.fields, address: 'ftp://links.example' } }, 400],
    [{ ...links, fields: { ...links.fields, address: 'https://user:pw@links.example' } }, 400],
    [{ ...links, fields: { ...links.fields, token: 'a\r\nb: c' } }, 400],
    [{ ...links, fields: { ...links.fields, more: 'x' } }, 400],
    [{ name: 'M', preset: 'mastodon', fields: { ...links.fields, visibility: 'loud' } }, 400],
    [{ name: 'F', preset: 'folder' }, 400],
    [{ ...links, name: 'LINKS' }, 409],
  ])('are validated: %j', async (body, status) => {
    const { ada } = await started()
    await ada('POST', 'destinations', links)
    expect((await ada('POST', 'destinations', body)).status).toBe(status)
  })

  test('need their secrets again if their address is on another server', async () => {
    const { ada, tested } = await started()
    const { id } = (await ada('POST', 'destinations', links)).json
    const elsewhere = { address: 'https://elsewhere.example' }
    expect(await ada('PATCH', `destinations/${id}`, { fields: elsewhere })).toMatchObject({
      status: 400,
      json: { title: expect.stringContaining('API token is missing') },
    })
    expect((await ada('PATCH', `destinations/${id}`, { fields: { ...elsewhere, token: 'new' } })).status).toBe(200)
    await ada('POST', `destinations/${id}/test`)
    expect(tested).toMatchObject([{ destination: { secrets: { token: 'new' } } }])
  })

  test('keep one of each name when several are added at the same time', async () => {
    const { ada } = await started()
    const answers = await Promise.all([1, 2, 3].map(() => ada('POST', 'destinations', links)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await ada('GET', 'destinations')).json.destinations).toHaveLength(1)
  })

  test('are at most 50 per user, and tested at most twenty times at once', async () => {
    const { ada } = await started()
    for (let i = 0; i < 50; i++)
      expect((await ada('POST', 'destinations', { ...links, name: `${i}` })).status).toBe(201)
    expect((await ada('POST', 'destinations', links)).status).toBe(409)
    const { id } = (await ada('GET', 'destinations')).json.destinations[0]
    for (let i = 0; i < 20; i++) expect((await ada('POST', `destinations/${id}/test`)).status).toBe(200)
    expect((await ada('POST', `destinations/${id}/test`)).status).toBe(429)
  })

  test('are only seen and used by their user', async () => {
    const { ada, bob, entryId, tested } = await started()
    const { id } = (await ada('POST', 'destinations', links)).json
    await ada('POST', `entries/${entryId}/send`, { destination: 'Links' })
    expect((await bob('GET', 'destinations')).json.destinations).toEqual([])
    expect((await bob('GET', 'sends')).json.sends).toEqual([])
    const sendId = (await ada('GET', 'sends')).json.sends[0].id
    for (const [method, path, body] of [
      ['PATCH', `destinations/${id}`, { name: 'Mine' }],
      ['DELETE', `destinations/${id}`, {}],
      ['POST', `destinations/${id}/test`, {}],
      ['POST', `entries/${entryId}/send`, { destination: 'Links' }],
      ['POST', `entries/${entryId}/send`, { destination: id }],
      ['DELETE', `sends/${sendId}`, {}],
    ] as const)
      expect((await bob(method, path, body)).status, `${method} ${path}`).toBe(404)
    expect(tested).toEqual([])
    expect((await ada('GET', 'sends')).json.sends).toHaveLength(1)
  })

  test('cannot be removed or renamed while a rule uses them', async () => {
    const { ada } = await started()
    const { id } = (await ada('POST', 'destinations', links)).json
    const rule = { name: 'Tides', query: 'tide', actions: [{ kind: 'send', destination: 'links' }] }
    expect((await ada('POST', 'rules', rule)).status).toBe(201)
    const unknown = { ...rule, actions: [{ kind: 'send', destination: 'nowhere' }] }
    expect((await ada('POST', 'rules', unknown)).status).toBe(400)
    expect((await ada('DELETE', `destinations/${id}`)).status).toBe(409)
    expect((await ada('PATCH', `destinations/${id}`, { name: 'Others' })).status).toBe(409)
    expect((await ada('PATCH', `destinations/${id}`, { fields: { token: 'new' } })).status).toBe(200)
  })

  test('can be a folder of files if the operator named one', async () => {
    const { ada } = await started({ hasFolder: true })
    const presets = (await ada('GET', 'destinations')).json.presets.map((preset: { id: string }) => preset.id)
    expect(presets).toContain('folder')
    expect((await ada('POST', 'destinations', { name: 'Obsidian', preset: 'folder' })).status).toBe(201)
  })
})

describe('an entry', () => {
  test('is queued once per destination, listed, and cancelled', async () => {
    const { ada, entryId, queuedCount } = await started()
    await ada('POST', 'destinations', links)
    const send = () => ada('POST', `entries/${entryId}/send`, { destination: 'links' })
    const [first, second] = await Promise.all([send(), send()])
    expect(first).toMatchObject({ status: 202, json: { state: 'waiting', title: 'High water', failures: 0 } })
    expect(second.json).toEqual(first.json)
    expect(queuedCount()).toBe(2)
    expect((await ada('GET', 'sends')).json.sends).toEqual([first.json])
    expect((await ada('DELETE', `sends/${first.json.id}`)).status).toBe(204)
    expect((await ada('DELETE', `sends/${first.json.id}`)).status).toBe(404)
    expect((await ada('GET', 'sends')).json.sends).toEqual([])
  })

  test('that the user does not see, or of which the destination does not exist, is rejected', async () => {
    const { ada, bob, entryId } = await started()
    await bob('POST', 'destinations', links)
    expect((await bob('POST', `entries/${entryId}/send`, { destination: 'Links' })).status).toBe(404)
    expect((await ada('POST', `entries/${entryId}/send`, { destination: 'Links' })).status).toBe(404)
    expect((await ada('POST', 'entries/999/send', { destination: 'Links' })).status).toBe(404)
  })

  test('leaves the queue with its destination', async () => {
    const { ada, entryId } = await started()
    const { id } = (await ada('POST', 'destinations', links)).json
    await ada('POST', `entries/${entryId}/send`, { destination: id })
    await ada('DELETE', `destinations/${id}`)
    expect((await ada('GET', 'sends')).json.sends).toEqual([])
  })
})
