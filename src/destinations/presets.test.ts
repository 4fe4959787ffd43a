/** The requests of each preset, as a server receives them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EntryDetailsShape } from '../api/index.ts'
import type { Destination, UserId } from '../model/index.ts'
import { createHttpNet } from '../net/index.ts'
import type { Net } from '../ports/index.ts'
import { ENTRY_VALUES } from './entry-values.ts'
import type { PresetRequest } from './preset.ts'
import { FOLDER_PRESET, PRESETS } from './presets.ts'
import { createSendEntry } from './send-entry.ts'
import { readFields } from './stored-destinations.ts'
import { placeholdersIn } from './template.ts'
import { TEST_ENTRY } from './test-entry.ts'

interface Received {
  method: string
  /** With the host that the preset names; {server} for the address of a field. */
  url: string
  headers: Record<string, string>
  body: string
}

/** A server for all hosts. */
let server: Server
let origin = ''
const received: Received[] = []
let answers: { status?: number; json?: unknown; retryAfter?: string }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const host = String(request.headers['x-intended'] ?? '{server}')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    received.push({ method: request.method ?? '', url: `${host}${request.url}`, headers, body })
    const { status = 200, json = {}, retryAfter } = answers.shift() ?? {}
    if (retryAfter) response.setHeader('retry-after', retryAfter)
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' })
    response.end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const http = createHttpNet({ userAgent: 'Test', allowNetworks: ['127.0.0.0/8'] })
afterAll(() => http.close())
/** Sends requests for public hosts to the server above. */
const net: Net = {
  ...http,
  get: (request) => http.get(redirected(request)),
  post: (request) => http.post(redirected(request)),
}
function redirected<Request extends { url: string; headers?: Record<string, string> }>(request: Request): Request {
  if (request.url.startsWith(origin)) return request
  const { origin: host, pathname, search } = new URL(request.url)
  return { ...request, url: origin + pathname + search, headers: { ...request.headers, 'x-intended': host } }
}

const ENTRY: EntryDetailsShape = {
  ...TEST_ENTRY,
  title: 'Tide & "ferry"',
  url: 'https://harbor.example/a?b=1&c=2',
  text: 'High water.',
  author: 'Ada',
  feedTitle: 'Harbor',
  publishedAt: '2026-03-01T08:00:00.000Z',
}

function destinationOf(preset: string, values: Record<string, string>): Destination {
  const description = PRESETS.find(({ id }) => id === preset)!
  const fields = readFields(description, values)
  if ('fault' in fields) throw new Error(fields.fault)
  return { id: 'd', name: preset, preset, addedAt: 0, ...fields }
}

async function send(preset: string, values: Record<string, string>, entry = ENTRY) {
  received.length = 0
  const sendEntry = createSendEntry({ net, now: () => 5 })
  return sendEntry({ userId: 1 as UserId, destination: destinationOf(preset, values), entry, sendId: 'id-1' })
}

interface Row {
  preset: string
  fields: Record<string, string>
  /** Responses, in their order. */
  answers?: { status?: number; json?: unknown }[]
  method?: string
  url: string
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
}

const SERVER = { address: 'SERVER' }
const { title, url } = ENTRY
const LINK = `${title}\n${url}`

const ROWS: Row[] = [
  {
    preset: 'wallabag',
    fields: { ...SERVER, clientId: 'c', clientSecret: 's', user: 'ada', password: 'p&w' },
    answers: [{ json: { access_token: 'at' } }],
    url: '{server}/api/entries.json',
    headers: { authorization: 'Bearer at' },
    json: { url, title },
  },
  {
    preset: 'readwise',
    fields: { token: 't' },
    answers: [{ status: 201 }],
    url: 'https://readwise.io/api/v3/save/',
    headers: { authorization: 'Token t' },
    json: { url, title, author: 'Ada', published_date: '2026-03-01T08:00:00.000Z', saved_using: 'Freshet' },
  },
  {
    preset: 'instapaper',
    fields: { user: 'ada@mail.example', password: 'pw' },
    answers: [{ status: 201 }],
    url: 'https://www.instapaper.com/api/add',
    headers: { authorization: `Basic ${Buffer.from('ada@mail.example:pw').toString('base64')}` },
    form: { url: url!, title },
  },
  {
    preset: 'linkding',
    fields: { address: 'SERVER/links/', token: 't' },
    answers: [{ status: 201 }],
    url: '{server}/links/api/bookmarks/',
    headers: { authorization: 'Token t' },
    json: { url, title, unread: true },
  },
  {
    preset: 'karakeep',
    fields: { ...SERVER, token: 't' },
    answers: [{ status: 201 }],
    url: '{server}/api/v1/bookmarks',
    headers: { authorization: 'Bearer t' },
    json: { type: 'link', url, title },
  },
  {
    preset: 'shiori',
    fields: { ...SERVER, user: 'ada', password: 'pw' },
    answers: [{ json: { ok: true, message: { token: 'at' } } }],
    url: '{server}/api/bookmarks',
    headers: { authorization: 'Bearer at' },
    json: { url, title, createArchive: true },
  },
  {
    preset: 'raindrop',
    fields: { token: 't' },
    answers: [{ json: { result: true } }],
    url: 'https://api.raindrop.io/rest/v1/raindrop',
    headers: { authorization: 'Bearer t' },
    json: { link: url, title, pleaseParse: {} },
  },
  {
    preset: 'pinboard',
    fields: { token: 'ada:AB12' },
    answers: [{ json: { result_code: 'done' } }],
    method: 'GET',
    url: `https://api.pinboard.in/v1/posts/add?${new URLSearchParams({ auth_token: 'ada:AB12', format: 'json', url: url!, description: title, toread: 'yes' })}`,
  },
  {
    preset: 'notion',
    fields: { token: 't', page: 'abc' },
    url: 'https://api.notion.com/v1/pages',
    headers: { authorization: 'Bearer t', 'notion-version': '2022-06-28' },
    json: {
      parent: { page_id: 'abc' },
      properties: { title: { title: [{ text: { content: title } }] } },
      children: [{ object: 'block', type: 'bookmark', bookmark: { url } }],
    },
  },
  {
    preset: 'telegram',
    fields: { token: '12:AB', chat: '@tides' },
    answers: [{ json: { ok: true } }],
    url: 'https://api.telegram.org/bot12:AB/sendMessage',
    json: { chat_id: '@tides', text: LINK },
  },
  {
    preset: 'matrix',
    fields: { ...SERVER, token: 't', room: '!r:m.example' },
    method: 'PUT',
    url: '{server}/_matrix/client/v3/rooms/!r:m.example/send/m.room.message/id-1',
    headers: { authorization: 'Bearer t' },
    json: { msgtype: 'm.text', body: LINK },
  },
  {
    preset: 'discord',
    fields: { address: 'SERVER/api/webhooks/1/secret' },
    answers: [{ status: 204 }],
    url: '{server}/api/webhooks/1/secret',
    json: { content: LINK, allowed_mentions: { parse: [] } },
  },
  {
    preset: 'slack',
    fields: { address: 'SERVER/services/1/' },
    url: '{server}/services/1/',
    json: { text: LINK.replaceAll('&', '&amp;') },
  },
  {
    preset: 'mastodon',
    fields: { ...SERVER, token: 't' },
    url: '{server}/api/v1/statuses',
    headers: { authorization: 'Bearer t', 'idempotency-key': 'id-1' },
    json: { status: LINK, visibility: 'private' },
  },
  {
    preset: 'ntfy',
    fields: { topic: 'tides' },
    url: 'https://ntfy.sh/',
    json: { topic: 'tides', title: 'Harbor', message: title, click: url },
  },
  {
    preset: 'gotify',
    fields: { ...SERVER, token: 't' },
    url: '{server}/message',
    headers: { 'x-gotify-key': 't' },
    json: { title: 'Harbor', message: LINK, extras: { 'client::notification': { click: { url } } } },
  },
  {
    preset: 'pushover',
    fields: { token: 't', user: 'u' },
    answers: [{ json: { status: 1 } }],
    url: 'https://api.pushover.net/1/messages.json',
    json: { token: 't', user: 'u', title: 'Harbor', message: LINK },
  },
  {
    preset: 'apprise',
    fields: { ...SERVER, key: 'tides' },
    url: '{server}/notify/tides',
    json: { title: 'Harbor', body: LINK, type: 'info' },
  },
  {
    preset: 'http',
    fields: { address: 'SERVER/in?key=1', authorization: 'Bearer x' },
    url: '{server}/in?key=1',
    headers: { authorization: 'Bearer x', 'idempotency-key': 'id-1' },
    json: {
      id: 'id-1',
      title,
      url,
      text: 'High water.',
      author: 'Ada',
      source: 'Harbor',
      date: '2026-03-01T08:00:00.000Z',
    },
  },
]

const withServer = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace('SERVER', origin)]))

describe('presets', () => {
  test('are all in the table', () => {
    expect(ROWS.map(({ preset }) => preset).sort()).toEqual(PRESETS.map(({ id }) => id).sort())
  })

  test.each(ROWS)('send what $preset expects', async ({ preset, fields, method = 'POST', ...expected }) => {
    answers = [...(expected.answers ?? [])]
    const attempt = await send(preset, withServer(fields))
    expect(attempt).toMatchObject({ at: 5, status: expect.any(Number) })
    expect(attempt.trouble).toBeUndefined()
    const last = received.at(-1)!
    expect([last.method, last.url]).toEqual([method, expected.url])
    expect(last.headers).toMatchObject(expected.headers ?? {})
    if (!expected.headers?.authorization) expect(last.headers.authorization).toBeUndefined()
    if (expected.json !== undefined) {
      expect(last.headers['content-type']).toBe('application/json')
      expect(JSON.parse(last.body)).toEqual(expected.json)
    } else if (expected.form) {
      expect(last.headers['content-type']).toBe('application/x-www-form-urlencoded')
      expect(Object.fromEntries(new URLSearchParams(last.body))).toEqual(expected.form)
    } else expect(last.body).toBe('')
  })

  test('log in first where the service needs it', async () => {
    answers = [{ json: { access_token: 'at' } }]
    await send('wallabag', withServer(ROWS[0]!.fields))
    expect(received.map(({ url }) => url)).toEqual(['{server}/oauth/v2/token', '{server}/api/entries.json'])
    expect(Object.fromEntries(new URLSearchParams(received[0]!.body))).toEqual({
      grant_type: 'password',
      client_id: 'c',
      client_secret: 's',
      username: 'ada',
      password: 'p&w',
    })
    answers = [{ json: { token: 'new form' } }]
    await send('shiori', withServer(ROWS.find(({ preset }) => preset === 'shiori')!.fields))
    expect(JSON.parse(received[0]!.body)).toEqual({ username: 'ada', password: 'pw' })
    expect(received[1]!.headers.authorization).toBe('Bearer new form')
  })

  test('use only values that exist, and no name twice', () => {
    for (const { id, fields, first, request } of PRESETS) {
      const names = fields.map(({ name }) => name)
      const answered = Object.keys(first?.answer ?? {})
      const all = [...ENTRY_VALUES, ...names, ...answered]
      expect(new Set(all).size, id).toBe(all.length)
      const { answer: _, ...firstRequest } = first ?? { answer: {} }
      for (const used of [firstRequest, request] as Partial<PresetRequest>[])
        for (const name of placeholdersIn(JSON.stringify(used))) expect(all, id).toContain(name)
      expect(
        names.filter((name) => !JSON.stringify([first, request]).includes(`{{${name}}}`)),
        id,
      ).toEqual([])
    }
    const ids = [...PRESETS, FOLDER_PRESET].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('failures', () => {
  const linkding = () => send('linkding', withServer({ address: 'SERVER', token: 'secret-token' }))

  test.each([
    [500, undefined],
    [429, undefined],
    [401, true],
    [302, true],
  ])('of status %i are final: %s', async (status, isFinal) => {
    answers = [{ status }]
    const attempt = await linkding()
    expect(attempt).toMatchObject({ status, trouble: expect.stringContaining(String(status)) })
    expect(attempt.isFinal).toBe(isFinal)
    expect(received).toHaveLength(1)
  })

  test('are found in the JSON of a response, and in the response to a login', async () => {
    answers = [{ json: { result: false } }]
    expect((await send('raindrop', { token: 't' })).trouble).toMatch(/did not accept/)
    answers = [{ json: {} }]
    expect(await send('wallabag', withServer(ROWS[0]!.fields))).toEqual({
      at: 5,
      status: 200,
      trouble: 'login failed: the response has no token',
    })
    answers = [{ status: 401 }]
    expect(await send('wallabag', withServer(ROWS[0]!.fields))).toEqual({
      at: 5,
      status: 401,
      isFinal: true,
      trouble: 'login failed: the server answered 401 (login required)',
    })
  })

  test('have the time after which the service wants to be asked again', async () => {
    answers = [{ status: 429, retryAfter: '120' }]
    expect(await linkding()).toMatchObject({ status: 429, retryAfterMs: 120_000 })
  })

  test('do not contain secrets', async () => {
    const failing: Net = {
      ...http,
      post: async ({ url }) => ({ ok: false, failure: { kind: 'unreachable', detail: url } }),
    }
    const sendEntry = createSendEntry({ net: failing, now: () => 0 })
    const destination = destinationOf('telegram', { token: '12:SECRET', chat: '1' })
    const { trouble } = await sendEntry({ userId: 1 as UserId, destination, entry: ENTRY, sendId: 'x' })
    expect(trouble).toMatch(/sendMessage/)
    expect(trouble).not.toContain('SECRET')
    const shiori = destinationOf('shiori', { address: 'https://SECRET.example', user: 'a', password: 'SECRET' })
    const failed = await sendEntry({ userId: 1 as UserId, destination: shiori, entry: ENTRY, sendId: 'x' })
    expect(failed.trouble).toMatch(/^login failed: .*auth.login$/)
    expect(failed.trouble).not.toContain('SECRET')
  })

  test('are final for entries without an address, where the service needs one', async () => {
    const { url: _, ...withoutUrl } = ENTRY
    expect(await send('readwise', { token: 't' }, withoutUrl)).toMatchObject({ isFinal: true })
    answers = [{ json: { ok: true } }]
    expect((await send('telegram', { token: 't', chat: '1' }, withoutUrl)).trouble).toBeUndefined()
  })

  test('limit the response, and follow no redirect', async () => {
    answers = [{ json: { result: 'x'.repeat(300_000) } }]
    expect((await send('raindrop', { token: 't' })).trouble).toMatch(/too large/)
    answers = [{ json: { content: 'x'.repeat(300_000) } }]
    expect(await linkding()).toEqual({ at: 5, status: 200 })
    answers = [{ status: 307 }]
    expect((await linkding()).trouble).toMatch(/redirects are not followed/)
    expect(received).toHaveLength(1)
  })

  test('limit the length of fields', () => {
    expect(() => destinationOf('readwise', { token: 'x'.repeat(4001) })).toThrow('too long')
    expect(() => destinationOf('linkding', { address: `https://a.example/${'x'.repeat(2000)}`, token: 't' })).toThrow(
      'is not an address',
    )
  })

  test('include private addresses, unless they are allowed', async () => {
    const strict = createHttpNet({ userAgent: 'Test' })
    const sendEntry = createSendEntry({ net: strict, now: () => 0 })
    const destination = destinationOf('linkding', withServer({ address: 'SERVER', token: 't' }))
    received.length = 0
    const attempt = await sendEntry({ userId: 1 as UserId, destination, entry: ENTRY, sendId: 'x' })
    await strict.close()
    expect(attempt).toMatchObject({ isFinal: true, trouble: expect.stringMatching(/the address is not allowed/) })
    expect(received).toEqual([])
  })
})
