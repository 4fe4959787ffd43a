/** The API of notifications: devices belong to one user and one session, and their addresses and keys are never shown. */
import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPrivacyHarness } from '../../test/privacy-harness.ts'
import type { Net } from '../ports/index.ts'

const BASE = '/api/v1/notifications'

function subscription(path = 'abc') {
  const pair = createECDH('prime256v1')
  const keys = { p256dh: pair.generateKeys('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
  return { endpoint: `https://push.example/${path}`, keys }
}

async function started(status = 201) {
  const posted: string[] = []
  const net: Net = {
    get: () => Promise.reject(new Error('nothing is fetched')),
    async post({ url }) {
      posted.push(url)
      const nothing = { redirects: [], headers: {}, body: new Uint8Array(), wireBytes: 0 }
      return { ok: true, status, url: url as never, ...nothing }
    },
    close: async () => {},
  }
  const harness = await createPrivacyHarness({ net, pushContact: 'mailto:ada@example.org' })
  const send = async (actor: Parameters<typeof harness.ask>[0], method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const { status, text } = await harness.ask(actor, `${BASE}${path}`, init)
    return { status, json: text ? JSON.parse(text) : undefined }
  }
  return { harness, send, posted }
}

describe('devices', () => {
  test('are listed for their user only, without address and keys', async () => {
    const { harness, send } = await started()
    const added = await send('follower', 'POST', '/devices', { ...subscription(), name: 'Laptop' })
    expect(added).toMatchObject({ status: 201, json: { name: 'Laptop', failures: 0 } })
    const listed = await harness.ask('follower', BASE)
    expect(JSON.parse(listed.text).devices).toEqual([added.json])
    expect(listed.text).not.toMatch(/push\.example|p256dh|auth/)
    for (const actor of ['other', 'admin', 'reader'] as const)
      expect((await send(actor, 'GET', '')).json.devices).toEqual([])
    for (const actor of ['other', 'admin'] as const)
      expect((await send(actor, 'DELETE', `/devices/${added.json.id}`)).status).toBe(404)
    for (const [actor, status] of Object.entries({ nobody: 401, reader: 403, corpus: 403 }))
      expect((await send(actor as 'reader', 'POST', '/devices', subscription())).status).toBe(status)
    expect((await send('corpus', 'GET', '')).status).toBe(403)
    expect((await send('follower', 'DELETE', `/devices/${added.json.id}`)).status).toBe(204)
    expect((await send('follower', 'GET', '')).json.devices).toEqual([])
  })

  test('are only those at https addresses, with valid keys, twenty per user', async () => {
    const { send } = await started()
    const { keys, endpoint } = subscription()
    for (const wrong of [
      { endpoint: 'http://push.example/a', keys },
      { endpoint: 'https://ada:secret@push.example/a', keys },
      { endpoint: `https://push.example/${'a'.repeat(1000)}`, keys },
      { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
      { endpoint, keys: { ...keys, auth: 'short' } },
    ])
      expect((await send('follower', 'POST', '/devices', wrong)).status).toBe(400)
    for (let i = 0; i < 20; i++) await send('follower', 'POST', '/devices', subscription(String(i)))
    expect((await send('follower', 'POST', '/devices', subscription('20'))).status).toBe(409)
    expect((await send('follower', 'POST', '/devices', subscription('7'))).status).toBe(201)
    expect((await send('follower', 'GET', '')).json.devices).toHaveLength(20)
  })

  test('end with the session that added them', async () => {
    const { harness } = await started()
    const headers = { 'content-type': 'application/json' }
    const login = await harness.app.request('http://localhost/api/v1/session', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'follower', password: 'correct horse battery' }),
    })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const added = await harness.app.request(`http://localhost${BASE}/devices`, {
      method: 'POST',
      headers: { ...headers, cookie, 'user-agent': userAgent },
      body: JSON.stringify(subscription()),
    })
    expect(await added.json()).toMatchObject({ name: 'Firefox on Linux' })
    await harness.app.request('http://localhost/api/v1/session', { method: 'DELETE', headers: { ...headers, cookie } })
    expect(JSON.parse((await harness.ask('follower', BASE)).text).devices).toEqual([])
  })

  test('get a test notification, whose result is shown', async () => {
    const { send, posted } = await started(503)
    const { json } = await send('follower', 'POST', '/key')
    expect(json.publicKey).toMatch(/^[\w-]{87}$/)
    expect((await send('follower', 'POST', '/key')).json).toEqual(json)
    expect((await send('other', 'POST', '/key')).json).not.toEqual(json)
    await send('follower', 'POST', '/devices', subscription())
    const tested = await send('follower', 'POST', '/test')
    expect(tested.json.devices).toMatchObject([{ failures: 1, trouble: expect.stringContaining('503') }])
    expect(posted).toEqual(['https://push.example/abc'])
    expect((await send('follower', 'POST', '/test')).status).toBe(409)
  })
})

test('a saved search notifies only its user', async () => {
  const { harness, send } = await started()
  const [search] = await harness.store.sharedItems('search', harness.users.follower)
  const path = `/searches/${search!.id}`
  expect((await send('other', 'PUT', path, { notify: true })).status).toBe(404)
  expect((await send('follower', 'PUT', path, { notify: true })).json.searches).toEqual([search!.id])
  expect((await send('follower', 'PUT', path, { notify: false })).json.searches).toEqual([])
})
