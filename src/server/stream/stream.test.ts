/** Streams deliver each event once, resume after a reconnect, and use limited memory. */
import { afterEach, describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import type { EntryId, FeedId, UserId } from '../../model/index.ts'
import { createAccounts } from '../accounts.ts'
import { RECHECK_INTERVAL_MS } from '../recheck-access.ts'
import { HEARTBEAT_MS, IDLE_TIMEOUT_MS, MAX_QUEUED } from './listener.ts'

type Stage = ReturnType<typeof createServerFixture>

interface Message {
  id?: string
  event?: string
  data?: { id: number; title: string; kind: string; words: string; feedId: number }
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function listen(fixture: Stage, query = '', lastId?: string) {
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
  return reading(await fixture.app.request(`/api/v1/stream${query}`, { headers }))
}

function reading(response: Response) {
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  open.push(() => reader.cancel())
  let text = ''
  async function next(): Promise<Message | undefined> {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
    const end = text.indexOf('\n\n')
    const lines = text.slice(0, end).split('\n')
    text = text.slice(end + 2)
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    return { ...fields, ...(fields.data && { data: JSON.parse(fields.data) }) }
  }
  return {
    next,
    close: () => reader.cancel(),
    /** The ids of the next `count` entries. */
    async entries(count: number): Promise<number[]> {
      const ids: number[] = []
      while (ids.length < count) {
        const message = await next()
        if (!message) break
        if (message.event === 'entry') ids.push(message.data!.id)
      }
      return ids
    },
  }
}

function polled(feedId: FeedId, fresh = 1): CrawlEvent {
  const result = { kind: 'read', fresh, changed: 0, window: fresh, gap: false } as const
  const about = { title: 'Tides', url: 'https://tides.example/feed', tookMs: 1, bytes: 9 }
  return { kind: 'polled', at: NOW, feedId, ...about, result, dueAt: NOW }
}

let feedCount = 0

/** Adds a feed with new entries, and emits the event. */
async function arrive(fixture: Stage, count = 1, folder?: string): Promise<FeedId> {
  feedCount++
  const entries = Array.from({ length: count }, (_, i) => ({ title: `${feedCount}-${i}`, agoMs: 1000 * i }))
  const url = `https://f${feedCount}.example/feed`
  const id = await fixture.addFeed({ url, title: `F${feedCount}`, entries, ...(folder && { folder }) })
  fixture.emit(polled(id, count))
  return id
}

async function allIds(fixture: Stage, after = 0): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of fixture.store.everyEntry({ after: after as EntryId })) ids.push(id)
  return ids
}

describe('a stream of entries', () => {
  test('starts with new entries', async () => {
    const fixture = createServerFixture()
    await arrive(fixture, 3)
    const stream = await listen(fixture)
    expect((await stream.next())?.id).toBe('3')
    await arrive(fixture, 2)
    expect(await stream.entries(2)).toEqual([4, 5])
  })

  test('resumes after the last entry, without losing or repeating entries', async () => {
    const fixture = createServerFixture()
    const first = await listen(fixture)
    await arrive(fixture, 3)
    expect(await first.entries(2)).toEqual([1, 2])
    await first.close()
    await arrive(fixture, 700)
    const second = await listen(fixture, '', '2')
    await arrive(fixture, 2)
    expect(await second.entries(703)).toEqual(await allIds(fixture, 2))
  })

  test('can start at any entry, or at an id beyond the last entry', async () => {
    const fixture = createServerFixture()
    await arrive(fixture, 5)
    expect(await (await listen(fixture, '?after=3')).entries(2)).toEqual([4, 5])
    const ahead = await listen(fixture, '?after=999')
    await arrive(fixture)
    expect(await ahead.entries(1)).toEqual([6])
  })

  test('sends entries of other processes, and does not watch for them without listeners', async () => {
    const received = new Set<() => void>()
    const onNewEntries = (onEntries: () => void) => {
      received.add(onEntries)
      return () => void received.delete(onEntries)
    }
    const fixture = createServerFixture({ onNewEntries })
    expect(received.size).toBe(0)
    const [one, other] = [await listen(fixture), await listen(fixture)]
    expect(received.size).toBe(1)
    await fixture.addFeed({ url: 'https://e.example/feed', title: 'E', entries: [{ title: 'elsewhere', agoMs: 1 }] })
    for (const onEntries of received) onEntries()
    const newest = (await allIds(fixture)).slice(-1)
    expect([await one.entries(1), await other.entries(1)]).toEqual([newest, newest])
    await one.close()
    expect(received.size).toBe(1)
    await other.close()
    expect(received.size).toBe(0)
  })

  test('is filtered by feed and folder', async () => {
    const fixture = createServerFixture()
    const a = await arrive(fixture, 2, 'Sea')
    const b = await arrive(fixture, 2)
    const ofB = await listen(fixture, `?after=0&feed=${b}`)
    const inSea = await listen(fixture, '?after=0&folder=Sea')
    expect([await ofB.entries(2), await inSea.entries(2)]).toEqual([
      [3, 4],
      [1, 2],
    ])
    expect(a).toBe(1)
  })

  describe('of subscriptions', () => {
    async function twoPeople() {
      const fixture = createServerFixture()
      const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
      const ada = await accounts.add('ada', 'correct horse battery')
      const bob = await accounts.add('bob', 'correct horse battery')
      const secretOf = async (id: UserId) => (await accounts.addToken(id, { name: 't', scope: 'read' })).secret
      const secrets = new Map([
        [ada.id, await secretOf(ada.id)],
        [bob.id, await secretOf(bob.id)],
      ])
      const listenAs = async (id: UserId, query: string) =>
        reading(
          await fixture.app.request(`http://localhost/api/v1/stream${query}`, {
            headers: { authorization: `Bearer ${secrets.get(id)}` },
          }),
        )
      return { fixture, ada: ada.id, bob: bob.id, listenAs }
    }

    test('has only subscribed feeds, including new subscriptions', async () => {
      const { fixture, ada, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(fixture, 2), await arrive(fixture, 2)] // followed by ada, the first user
      await fixture.store.follow(bob, [{ feedId: b }], NOW, 0)
      expect(await (await listenAs(bob, '?after=0&mine=true')).entries(2)).toEqual([3, 4])
      expect(await (await listenAs(ada, '?after=0&mine=true')).entries(4)).toEqual([1, 2, 3, 4])
      expect(await (await listenAs(bob, '?after=0&mine=false')).entries(2)).toEqual([3, 4])
      const live = await listenAs(bob, '?mine=true')
      await live.next()
      await fixture.store.follow(bob, [{ feedId: a }], NOW, 0)
      const [first] = await fixture.store.feedsById([a])
      const more = [{ key: 'later', title: 'later' }]
      const result = { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false } as const
      const poll = { feedId: a, at: NOW, tookMs: 1, bytes: 1, conditional: false, result }
      await fixture.store.recordPolls([{ poll, schedule: first!.schedule, fresh: more, changed: [] }])
      fixture.emit(polled(a))
      expect(await live.entries(1)).toEqual([5])
    })

    test('is filtered by the folders of the user', async () => {
      const { fixture, ada, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(fixture, 1, 'Sea'), await arrive(fixture, 1, 'Land')]
      await fixture.store.follow(
        bob,
        [
          { feedId: a, folder: 'Wet' },
          { feedId: b, folder: 'Sea / Shore' },
        ],
        NOW,
        0,
      )
      expect(await (await listenAs(ada, '?after=0&folder=sea')).entries(1)).toEqual([1])
      expect(await (await listenAs(bob, '?after=0&folder=sea')).entries(1)).toEqual([2])
    })

    test('also filters polls and failures, without those about no feed', async () => {
      const { fixture, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(fixture), await arrive(fixture)]
      await fixture.store.follow(bob, [{ feedId: b }], NOW, 0)
      const stream = await listenAs(bob, '?kinds=polls,trouble&mine=true')
      await stream.next()
      fixture.emit(polled(a, 0))
      fixture.emit({
        kind: 'host-backing-off',
        at: NOW,
        root: 'x.example',
        until: NOW + 1,
        failure: { kind: 'timeout' },
      })
      fixture.emit(polled(b, 0))
      expect(await stream.next()).toMatchObject({ event: 'poll', data: { feedId: b } })
    })

    test('resumes after the last entry, skipping other feeds', async () => {
      const { fixture, bob, listenAs } = await twoPeople()
      await arrive(fixture, 250)
      const b = await arrive(fixture, 3)
      await fixture.store.follow(bob, [{ feedId: b }], NOW, 0)
      await arrive(fixture, 250)
      const first = await listenAs(bob, '?after=0&mine=true')
      expect(await first.entries(1)).toEqual([251])
      await first.close()
      expect(await (await listenAs(bob, '?after=251&mine=true')).entries(2)).toEqual([252, 253])
    })
  })

  test('fifty listeners that reconnect while entries arrive receive each entry once', async () => {
    const fixture = createServerFixture()
    const all = 400
    const received = Array.from({ length: 50 }, async (_, listenerIndex) => {
      const ids: number[] = []
      for (let turn = 0; ids.length < all; turn++) {
        const stream = await listen(fixture, '', String(ids.at(-1) ?? 0))
        ids.push(...(await stream.entries(Math.min(all - ids.length, 1 + ((listenerIndex * 7 + turn * 13) % 60)))))
        await stream.close()
      }
      return ids
    })
    for (let arrivedCount = 0; arrivedCount < all; arrivedCount += 8) {
      await arrive(fixture, 8)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const expected = await allIds(fixture)
    expect(expected.length).toBe(all)
    for (const ids of await Promise.all(received)) expect(ids).toEqual(expected)
  })

  test('works over sockets, and ends when the server closes', async () => {
    const fixture = createServerFixture()
    const { url, close } = await fixture.listen(0)
    const streams = await Promise.all(
      Array.from({ length: 10 }, async () => reading(await fetch(`${url}/api/v1/stream`))),
    )
    await arrive(fixture, 4)
    for (const stream of streams) expect(await stream.entries(4)).toEqual([1, 2, 3, 4])
    await close() // the clock does not advance: closing must not wait
    for (const stream of streams) expect(await stream.next()).toBeUndefined()
  })
})

describe('a stream of other events', () => {
  test('sends polls, grouping and failures of the requested kinds', async () => {
    const fixture = createServerFixture()
    const id = await arrive(fixture)
    const stream = await listen(fixture, '?kinds=polls,stories,trouble')
    await stream.next()
    fixture.emit(polled(id, 0))
    fixture.emit({ kind: 'host-backing-off', at: NOW, root: 'x.example', until: NOW + 1, failure: { kind: 'timeout' } })
    const like = { likeId: 1 as EntryId, likeness: 0.9, reason: 'the same words' }
    fixture.emit({ kind: 'joined', at: NOW, entryId: 2 as EntryId, title: 'B', level: 'story', ...like })
    const messages = [await stream.next(), await stream.next(), await stream.next()]
    expect(messages.map((message) => message?.event)).toEqual(['poll', 'trouble', 'story'])
    expect(messages[1]?.data).toMatchObject({ kind: 'host-backing-off', words: 'the server took too long to answer' })
  })

  test('sends a heartbeat while nothing happens', async () => {
    const fixture = createServerFixture()
    const stream = await listen(fixture)
    await stream.next()
    const next = stream.next()
    await fixture.clock.advance(HEARTBEAT_MS)
    expect(await next).toEqual({ '': 'still here', id: '0' })
  })
})

describe('a slow listener', () => {
  test('is cut off with an event, and loses no entry when it reconnects', async () => {
    const fixture = createServerFixture()
    const slow = await listen(fixture, '?kinds=entries,polls')
    const quick = await listen(fixture, '?kinds=polls')
    const id = await arrive(fixture, 3)
    const received: (string | undefined)[] = []
    for (let i = 0; i < 2 * MAX_QUEUED; i++) {
      fixture.emit(polled(id, 0))
      received.push((await quick.next())?.event)
    }
    expect(received.at(-1)).toBe('poll')
    const messages: Message[] = []
    for (let message = await slow.next(); message; message = await slow.next()) messages.push(message)
    expect(messages.at(-1)).toMatchObject({ event: 'cut', data: { words: 'more than 256 messages waited' } })
    const lastId = messages.findLast((message) => message.id !== undefined)!.id
    const ids = messages.flatMap(({ event, data }) => (event === 'entry' ? [data!.id] : []))
    const rest = await (await listen(fixture, '', lastId)).entries(3 - ids.length)
    expect([...ids, ...rest]).toEqual([1, 2, 3])
  })

  test('is disconnected if it reads nothing, which frees its slot', async () => {
    const fixture = createServerFixture()
    const ask = () => fixture.app.request('/api/v1/stream')
    for (let i = 0; i < 100; i++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    await fixture.clock.advance(IDLE_TIMEOUT_MS + HEARTBEAT_MS)
    expect((await ask()).status).toBe(200)
  })
})

describe('streams', () => {
  test('are limited to ten per user', async () => {
    const fixture = createServerFixture()
    const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
    const asking = async (name: string) => {
      const { id } = await accounts.add(name, 'correct horse battery')
      const secrets = [
        (await accounts.addToken(id, { name: 'one', scope: 'read' })).secret,
        (await accounts.addToken(id, { name: 'two', scope: 'read' })).secret,
      ]
      return (i: number) =>
        fixture.app.request('/api/v1/stream', { headers: { authorization: `Bearer ${secrets[i % 2]}` } })
    }
    const [ada, bob] = [await asking('ada'), await asking('bob')]
    const streams = []
    for (let i = 0; i < 10; i++) streams.push(reading(await ada(i)))
    expect((await ada(10)).status).toBe(429)
    reading(await bob(0))
    await streams[0]?.close()
    reading(await ada(10))
  })
})

describe('a stream ends when access is lost', () => {
  const password = 'correct horse battery'

  async function listening(scope: 'session' | 'token') {
    const fixture = createServerFixture()
    const accounts = createAccounts({ users: fixture.store, clock: fixture.clock })
    const ada = await accounts.add('ada', password)
    const { token, secret } = await accounts.addToken(ada.id, { name: 't', scope: 'admin' })
    const ask = (method: string, path: string, headers: Record<string, string>, body: object = {}) =>
      fixture.app.request(`http://localhost/api/v1/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
      })
    const login = await ask('POST', 'session', {}, { name: 'ada', password })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    const proof: Record<string, string> = scope === 'token' ? { authorization: `Bearer ${secret}` } : { cookie }
    const stream = reading(await ask('GET', 'stream', proof))
    expect(await stream.next()).toMatchObject({ id: '0' })
    return { ...fixture, accounts, ada, token, ask, proof, cookie, stream }
  }

  test('at once, by logging out', async () => {
    const { ask, proof, stream } = await listening('session')
    expect((await ask('DELETE', 'session', proof)).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
  })

  test('at once, when the token is revoked', async () => {
    const { ask, cookie, ada, token, stream } = await listening('token')
    expect((await ask('DELETE', `users/${ada.id}/tokens/${token.id}`, { cookie })).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
  })

  test('soon, when the token is revoked by another process', async () => {
    const { store, ada, token, clock, stream } = await listening('token')
    const beat = stream.next()
    await clock.advance(RECHECK_INTERVAL_MS)
    expect(await beat).toBeDefined()
    await store.removeCredentials(ada.id, { id: token.id })
    const last = stream.next()
    await clock.advance(RECHECK_INTERVAL_MS)
    await last // possibly another heartbeat
    expect(await stream.next()).toBeUndefined()
  })

  test('when the first account is created', async () => {
    const fixture = createServerFixture()
    const stream = await listen(fixture)
    await stream.next()
    await fixture.app.request('/api/v1/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ada', password }),
    })
    expect(await stream.next()).toBeUndefined()
  })
})
