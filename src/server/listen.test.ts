/** Over real sockets on loopback: listening, closing, and the client of the command line. */
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createStage } from '../../test/stage.ts'
import { HOUR } from '../model/index.ts'
import { ClientError, createClient } from './client.ts'
import { ServerError } from './index.ts'

const open: { close(): Promise<void> }[] = []

async function listening(stage = createStage()) {
  const server = await stage.listen(0)
  open.push(server)
  return { ...stage, ...server }
}

afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

describe('listening', () => {
  test('port 0 takes a free one and names it', async () => {
    const { url } = await listening()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('a port that is taken is told with what to do', async () => {
    const { url } = await listening()
    const port = Number(new URL(url).port)
    const error = await createStage()
      .listen(port)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({
      message: `port ${port} on 127.0.0.1 is in use`,
      hint: 'stop the other program or choose another with --port',
    })
  })

  test('an address that is not ours is told', async () => {
    await expect(createStage({ host: '192.0.2.1', listenWithoutLogin: true }).listen(0)).rejects.toMatchObject({
      message: '192.0.2.1 is no address of this machine',
    })
  })

  test.each(['0.0.0.0', '::', '[::]', '0', '192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', 'fe80::1%lo'])(
    '%s is refused, for there is no login',
    async (host) => {
      const attempt = createStage({ host }).listen(0)
      await expect(attempt).rejects.toBeInstanceOf(ServerError)
      await expect(attempt).rejects.toMatchObject({
        message: expect.stringMatching(/there is no login$/),
        hint: expect.stringContaining('--listen-without-login'),
      })
    },
  )

  test('a name that nobody knows, and none at all, are told', async () => {
    for (const host of ['nowhere.invalid', ''])
      await expect(createStage({ host }).listen(0)).rejects.toMatchObject({
        message: expect.stringMatching(/is no address of this machine/),
      })
  })

  test.each(['127.0.0.1', '127.0.0.2', '127.1', 'localhost', '::ffff:127.0.0.1'])(
    '%s is this machine',
    async (host) => {
      const { url, close } = await createStage({ host }).listen(0)
      await close()
      expect(url).toMatch(/^http:/)
    },
  )

  test('on all addresses it listens once its owner says that he knows', async () => {
    const { url, close } = await createStage({ host: '0.0.0.0', listenWithoutLogin: true }).listen(0)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await close()
  })

  test('closing ends kept connections at once', async () => {
    const stage = createStage()
    const { url, close } = await stage.listen(0)
    await (await fetch(`${url}/healthz`)).text()
    await close()
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    expect(stage.clock.nextWakeAt()).toBeUndefined()
  })

  test('closing waits for an answer that is under way, but not for ever', async () => {
    const stage = createStage()
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    stage.store.feeds = () => {
      asked()
      return new Promise(() => {})
    }
    const { url, close } = await stage.listen(0)
    const answer = fetch(`${url}/api/feeds`).catch(() => 'cut off')
    await isAsked
    let closed = false
    const closing = close().then(() => {
      closed = true
    })
    await stage.clock.advance(1000)
    expect(closed).toBe(false)
    await stage.clock.advance(2000)
    await closing
    expect(await answer).toBe('cut off')
  })

  test('a name that only pretends to be local is refused on the wire too', async () => {
    const { url } = await listening()
    const answer = await say(
      Number(new URL(url).port),
      'GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })

  test('a body without an end is cut off', async () => {
    const { url } = await listening()
    let sentBytes = 0
    const body = new ReadableStream({
      pull(controller) {
        sentBytes += 10_000
        controller.enqueue(new Uint8Array(10_000))
      },
    })
    const headers = { 'content-type': 'application/json' }
    const sending = fetch(`${url}/api/feeds/1`, { method: 'PATCH', headers, body, duplex: 'half' })
    const status = await sending.then(
      (response) => response.status,
      () => 'cut off',
    )
    expect(['cut off', 413]).toContain(status)
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
  })
})

describe('the client', () => {
  test('does to a crawl in another process what it is told', async () => {
    const { url, addFeed, store } = await listening()
    const id = await addFeed({
      url: 'https://tides.example/feed',
      title: 'Tides',
      entries: [{ title: 'High', agoMs: HOUR }],
    })
    const client = createClient(url)

    expect((await client.status()).counts.feeds.active).toBe(1)
    expect((await client.feeds({ state: 'active' })).feeds).toMatchObject([{ id, title: 'Tides' }])
    expect((await client.entries({ feed: id })).entries).toMatchObject([{ title: 'High' }])
    expect((await client.polls({ feed: id })).polls).toMatchObject([{ result: { kind: 'read' } }])
    expect((await client.feed(id))?.feed.title).toBe('Tides')
    expect(await client.pause(id)).toBe(true)
    expect((await store.feedsById([id]))[0]?.feed.state).toBe('paused')
    expect(await client.resume(id)).toBe(true)
    expect(await client.pollNow(id)).toMatchObject({ why: 'its site was visited a moment ago' })
    expect(await client.remove(id)).toBe(true)
    expect((await client.status()).counts.feeds.active).toBe(0)
  })

  test('says of what is not there that it is not there', async () => {
    const client = createClient((await listening()).url)
    expect(await client.feed(7)).toBeUndefined()
    expect(await client.pollNow(7)).toBeUndefined()
    expect(await client.pause(7)).toBe(false)
    expect(await client.remove(7)).toBe(false)
    expect(await client.removeSource(7)).toBe(false)
  })

  test('subscribes to many, in order', async () => {
    const client = createClient((await listening()).url)
    const addresses = Array.from({ length: 6000 }, (_, index) => ({
      url: `https://s${index}.example/`,
      kind: 'any' as const,
    }))
    const results = await client.subscribe(addresses)
    expect(results.map(({ url }) => url)).toEqual(addresses.map(({ url }) => url))
    expect((await client.sources({ state: 'looking', limit: 2 })).more).toBe(true)
  })

  test('says what it tried and what came', async () => {
    const { url } = await listening()
    const refused = await createClient(url)
      .feeds({ limit: 0 })
      .catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(ClientError)
    expect(refused).toMatchObject({
      message: `GET ${url}/api/feeds?limit=0: the server answered 400 (limit=0 makes no sense)`,
      hint: 'limit is a whole number from 1 to 1000',
    })
  })

  test('says so when nobody listens', async () => {
    const { url, close } = await createStage().listen(0)
    await close()
    await expect(createClient(url).status()).rejects.toMatchObject({
      message: `GET ${url}/api/status: no answer came (nobody listens there)`,
      hint: 'is Freshet still running there?',
    })
  })
})

function say(port: number, text: string): Promise<string> {
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
