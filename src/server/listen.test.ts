/** Listening and closing, over real sockets on loopback. */
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { ServerError } from './index.ts'

const CHUNK = Buffer.alloc(1024 * 1024)
const open: { close(): Promise<void> }[] = []

async function listening(fixture = createServerFixture()) {
  const server = await fixture.listen(0)
  open.push(server)
  return { ...fixture, ...server }
}

afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

describe('listening', () => {
  test('port 0 chooses a free port', async () => {
    const { url } = await listening()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('keeps idle connections longer than clients and proxies do', async () => {
    const { url } = await listening()
    const { headers } = await fetch(`${url}/healthz`)
    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  test('a port in use is rejected with a hint', async () => {
    const { url } = await listening()
    const port = Number(new URL(url).port)
    const error = await createServerFixture()
      .listen(port)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({
      message: `port ${port} on 127.0.0.1 is in use`,
      hint: 'stop the other program or choose another with --port',
    })
  })

  test('an address of another machine is rejected', async () => {
    await expect(createServerFixture({ host: '192.0.2.1', listenWithoutLogin: true }).listen(0)).rejects.toMatchObject({
      message: '192.0.2.1 is not an address of this machine',
    })
  })

  test('unknown and empty host names are rejected', async () => {
    for (const host of ['nowhere.invalid', ''])
      await expect(createServerFixture({ host }).listen(0)).rejects.toMatchObject({
        message: expect.stringMatching(/is not an address of this machine/),
      })
  })

  test.each(['127.0.0.1', '127.0.0.2', '127.1', 'localhost', '::ffff:127.0.0.1'])('listens on %s', async (host) => {
    const { url, close } = await createServerFixture({ host }).listen(0)
    await close()
    expect(url).toMatch(/^http:/)
  })

  test('listens on all addresses if the login is disabled', async () => {
    const { url, close } = await createServerFixture({ host: '0.0.0.0', listenWithoutLogin: true }).listen(0)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await close()
  })

  test('closing ends idle connections at once', async () => {
    const fixture = createServerFixture()
    const { url, close } = await fixture.listen(0)
    await (await fetch(`${url}/healthz`)).text()
    await close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    expect(fixture.clock.nextWakeAt()).toBeUndefined()
  })

  test('closing waits for responses in flight, for a limited time', async () => {
    const fixture = createServerFixture()
    let onRequest = () => {}
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve
    })
    fixture.store.feeds = () => {
      onRequest()
      return new Promise(() => {})
    }
    const { url, close } = await fixture.listen(0)
    const answer = fetch(`${url}/api/v1/feeds`).catch(() => 'cut off')
    await requested
    let closed = false
    const closing = close().then(() => {
      closed = true
    })
    await fixture.clock.advance(1000)
    expect(closed).toBe(false)
    await fixture.clock.advance(2000)
    await closing
    expect(await answer).toBe('cut off')
  })

  test('rejects foreign host names on a real socket', async () => {
    const { url } = await listening()
    const answer = await sendRaw(
      Number(new URL(url).port),
      'GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })

  test('answers 401 to a large upload without reading it', async () => {
    const fixture = createServerFixture()
    await fixture.store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: 'x' })
    const { url } = await listening(fixture)
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let [answer, isClosed] = ['', false]
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      isClosed = true
    })
    const bytes = 64 * 1024 * 1024
    socket.write(
      `POST /api/v1/opml HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\nContent-Length: ${bytes}\r\n\r\n`,
    )
    let sent = 0
    const pump = () => {
      while (sent < bytes && !socket.destroyed) {
        sent += CHUNK.length
        if (!socket.write(CHUNK)) return
      }
    }
    socket.on('drain', pump)
    pump()
    await expect.poll(() => isClosed, { timeout: 5000 }).toBe(true)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    // At most the buffers of two sockets.
    expect(sent).toBeLessThan(bytes / 2)
  })

  test('reuses a connection after a small unread body', async () => {
    const { url } = await listening()
    const request = 'POST /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n'
    const answer = await sendRaw(
      Number(new URL(url).port),
      `${request}\r\nhello${request}Connection: close\r\n\r\nhello`,
    )
    expect(answer.match(/HTTP\/1\.1 415 /g)).toHaveLength(2)
  })

  test('cuts off an endless body', async () => {
    const { url } = await listening()
    let sentBytes = 0
    const body = new ReadableStream({
      pull(controller) {
        sentBytes += 10_000
        controller.enqueue(new Uint8Array(10_000))
      },
    })
    const headers = { 'content-type': 'application/json' }
    const sending = fetch(`${url}/api/v1/feeds/1`, { method: 'PATCH', headers, body, duplex: 'half' })
    const status = await sending.then(
      (response) => response.status,
      () => 'cut off',
    )
    expect(['cut off', 413]).toContain(status)
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
  })
})

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}
