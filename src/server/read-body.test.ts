/** All kinds of bodies for requests that change something, over a real socket: none causes an internal error. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'

const internalErrors: unknown[] = []
let port = 0
let close = async () => {}
beforeAll(async () => {
  const fixture = createServerFixture({ onInternalError: (error) => internalErrors.push(error) })
  const listening = await fixture.listen(0)
  port = Number(new URL(listening.url).port)
  close = listening.close
  await send('POST /api/v1/feeds', ...mutable(whole('{"addresses":[{"url":"https://a.example/feed","kind":"feed"}]}')))
})
afterAll(() => close())

interface Answer {
  status: number
  body: { title?: string; hint?: string } | undefined
}

/** Sends raw bytes, without headers that an HTTP client would add. */
function send(request: string, headers: string[], body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const head = [`${request} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n')
    let received = ''
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(head + body))
    socket.on('data', (data) => {
      received += data
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [first = '', ...rest] = received.split('\r\n\r\n')
      const text = rest.join('').replace(/^[0-9a-f]+\r\n/, '')
      const json = /\{.*\}/s.exec(text)?.[0]
      resolve({ status: Number(first.split(' ')[1]), body: json === undefined ? undefined : JSON.parse(json) })
    })
  })
}

const TYPE = 'content-type: application/json'
const CHUNKED = 'transfer-encoding: chunked'
const whole = (text: string) => [[TYPE, `content-length: ${text.length}`], text] as const
const chunked = (...parts: string[]) =>
  [[TYPE, CHUNKED], [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')] as const

const NOT_A_BODY = [
  ['none at all', [TYPE], ''],
  ['an empty one', [TYPE, 'content-length: 0'], ''],
  ['an empty one in chunks', ...chunked()],
] as const
const NOT_JSON = [
  ['broken JSON', ...whole('{"a":')],
  ['broken JSON in chunks', ...chunked('{"a"', ':')],
  ['a list', ...whole('[]')],
  ['null', ...whole('null')],
  ['bytes that are no text', ...whole('\u0000\u0001')],
] as const

const EMPTY_OBJECTS = [
  ['an object', ...whole('{}')],
  ['an object in chunks', ...chunked('{', '}')],
] as const

const WITHOUT_NEED = ['DELETE /api/v1/feeds/9999', 'POST /api/v1/feeds/9999/poll', 'DELETE /api/v1/sources/9999']
const WITH_NEED = ['POST /api/v1/feeds', 'PATCH /api/v1/feeds/1', 'PUT /api/v1/folders/News']

describe.each([...WITHOUT_NEED, 'POST /api/v1/groups/again'])('%s', (request) => {
  test.each([...NOT_A_BODY, ...EMPTY_OBJECTS])('accepts %s as body', async (_, headers, body) => {
    expect((await send(request, [...headers], body)).status).toBe(request.startsWith('POST /api/v1/groups') ? 202 : 404)
  })
})

describe.each(WITH_NEED)('%s', (request) => {
  test.each(NOT_A_BODY)('rejects %s and asks for a body', async (_, headers, body) => {
    const { status, body: problem } = await send(request, [...headers], body)
    expect(status).toBe(400)
    expect(problem).toMatchObject({ title: 'the request has no body', hint: expect.stringMatching(/^send /) })
  })

  test.each(NOT_JSON)('rejects %s and says what it expects', async (_, headers, body) => {
    const { status, body: problem } = await send(request, [...headers], body)
    expect(status).toBe(400)
    expect(problem).toMatchObject({
      title: expect.stringMatching(/^the body is not/),
      hint: expect.stringMatching(/^send /),
    })
  })

  test('accepts chunked bodies', async () => {
    const text = {
      'POST /api/v1/feeds': '{"addresses":["https://chunks.example/"]}',
      'PATCH /api/v1/feeds/1': '{"title":"A"}',
    }
    const sent = text[request as keyof typeof text] ?? '{"goalMs":600000}'
    expect((await send(request, ...mutable(chunked(sent.slice(0, 5), sent.slice(5))))).status).toBe(200)
  })
})

describe.each([...WITHOUT_NEED, 'POST /api/v1/groups/again', ...WITH_NEED])('%s', (request) => {
  test('rejects other content types, and a content-length above the limit', async () => {
    expect((await send(request, [], '')).status).toBe(415)
    expect((await send(request, ['content-type: text/plain', 'content-length: 2'], '{}')).status).toBe(415)
    expect((await send(request, [TYPE, 'content-length: 70000000'], '{')).status).toBe(413)
  })
})

test.each(WITH_NEED.slice(1))('%s rejects chunked bodies above the limit', async (request) => {
  expect((await send(request, ...mutable(chunked(...Array(9).fill(' '.repeat(8192)))))).status).toBe(413)
})

test('an aborted body is not an internal error', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`PATCH /api/v1/feeds/1 HTTP/1.1\r\nhost: localhost\r\n${TYPE}\r\ncontent-length: 50\r\n\r\n{"ti`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await send('GET /api/v1/status', [], '')
})

test('none of these requests caused an internal error', () => {
  expect(internalErrors).toEqual([])
})

function mutable([headers, body]: readonly [readonly string[], string]): [string[], string] {
  return [[...headers], body]
}
