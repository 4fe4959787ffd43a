/** Who listens hears everything once, comes again where he was, and costs a bounded part of our memory. */
import { afterEach, describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import type { CrawlEvent } from '../../crawl/index.ts'
import type { EntryId, FeedId, PersonId } from '../../model/index.ts'
import { createAccounts } from '../accounts.ts'
import { RECHECK_INTERVAL_MS } from '../recheck-access.ts'
import { HEARTBEAT_MS, MOST_WAITING, PATIENCE_MS } from './listener.ts'

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

async function listen(stage: Stage, query = '', lastId?: string) {
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
  return reading(await stage.app.request(`/api/v1/stream${query}`, { headers }))
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
    /** The ids of the next so many entries. */
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

let made = 0

/** A feed with so many new entries, and the word of it. */
async function arrive(stage: Stage, count = 1, folder?: string): Promise<FeedId> {
  made++
  const entries = Array.from({ length: count }, (_, i) => ({ title: `${made}-${i}`, agoMs: 1000 * i }))
  const url = `https://f${made}.example/feed`
  const id = await stage.addFeed({ url, title: `F${made}`, entries, ...(folder && { folder }) })
  stage.emit(polled(id, count))
  return id
}

async function allIds(stage: Stage, after = 0): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of stage.store.everyEntry({ after: after as EntryId })) ids.push(id)
  return ids
}

describe('a stream of entries', () => {
  test('begins with what comes from now on', async () => {
    const stage = createServerFixture()
    await arrive(stage, 3)
    const stream = await listen(stage)
    expect((await stream.next())?.id).toBe('3')
    await arrive(stage, 2)
    expect(await stream.entries(2)).toEqual([4, 5])
  })

  test('goes on where it broke off, with nothing lost and nothing doubled', async () => {
    const stage = createServerFixture()
    const first = await listen(stage)
    await arrive(stage, 3)
    expect(await first.entries(2)).toEqual([1, 2])
    await first.close()
    await arrive(stage, 700)
    const second = await listen(stage, '', '2')
    await arrive(stage, 2)
    expect(await second.entries(703)).toEqual(await allIds(stage, 2))
  })

  test('can begin at any entry, and at an id that is not there yet, with what comes', async () => {
    const stage = createServerFixture()
    await arrive(stage, 5)
    expect(await (await listen(stage, '?after=3')).entries(2)).toEqual([4, 5])
    const ahead = await listen(stage, '?after=999')
    await arrive(stage)
    expect(await ahead.entries(1)).toEqual([6])
  })

  test('brings what other processes wrote, as soon as one is told, and asks nobody while nobody listens', async () => {
    const heard = new Set<() => void>()
    const onNews = (hear: () => void) => {
      heard.add(hear)
      return () => void heard.delete(hear)
    }
    const stage = createServerFixture({ onNews })
    expect(heard.size).toBe(0)
    const [one, other] = [await listen(stage), await listen(stage)]
    expect(heard.size).toBe(1)
    await stage.addFeed({ url: 'https://e.example/feed', title: 'E', entries: [{ title: 'elsewhere', agoMs: 1 }] })
    for (const hear of heard) hear()
    const newest = (await allIds(stage)).slice(-1)
    expect([await one.entries(1), await other.entries(1)]).toEqual([newest, newest])
    await one.close()
    expect(heard.size).toBe(1)
    await other.close()
    expect(heard.size).toBe(0)
  })

  test('is narrowed down by feed and folder', async () => {
    const stage = createServerFixture()
    const a = await arrive(stage, 2, 'Sea')
    const b = await arrive(stage, 2)
    const ofB = await listen(stage, `?after=0&feed=${b}`)
    const inSea = await listen(stage, '?after=0&folder=Sea')
    expect([await ofB.entries(2), await inSea.entries(2)]).toEqual([
      [3, 4],
      [1, 2],
    ])
    expect(a).toBe(1)
  })

  describe('of what somebody follows', () => {
    async function twoPeople() {
      const stage = createServerFixture()
      const accounts = createAccounts({ people: stage.store, clock: stage.clock })
      const ada = await accounts.add('ada', 'correct horse battery')
      const bob = await accounts.add('bob', 'correct horse battery')
      const secretOf = async (id: PersonId) => (await accounts.addToken(id, { name: 't', allows: 'read' })).secret
      const secrets = new Map([
        [ada.id, await secretOf(ada.id)],
        [bob.id, await secretOf(bob.id)],
      ])
      const listenAs = async (id: PersonId, query: string) =>
        reading(
          await stage.app.request(`http://localhost/api/v1/stream${query}`, {
            headers: { authorization: `Bearer ${secrets.get(id)}` },
          }),
        )
      return { stage, ada: ada.id, bob: bob.id, listenAs }
    }

    test('are his feeds only, and those that he follows while he listens', async () => {
      const { stage, ada, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(stage, 2), await arrive(stage, 2)] // by ada, who came first
      await stage.store.follow(bob, [{ feedId: b }], NOW, 0)
      expect(await (await listenAs(bob, '?after=0&mine=true')).entries(2)).toEqual([3, 4])
      expect(await (await listenAs(ada, '?after=0&mine=true')).entries(4)).toEqual([1, 2, 3, 4])
      expect(await (await listenAs(bob, '?after=0&mine=false')).entries(2)).toEqual([3, 4])
      const live = await listenAs(bob, '?mine=true')
      await live.next()
      await stage.store.follow(bob, [{ feedId: a }], NOW, 0)
      const [first] = await stage.store.feedsById([a])
      const more = [{ key: 'later', title: 'later' }]
      const result = { kind: 'read', fresh: 1, changed: 0, window: 1, gap: false } as const
      const poll = { feedId: a, at: NOW, tookMs: 1, bytes: 1, conditional: false, result }
      await stage.store.recordPolls([{ poll, schedule: first!.schedule, fresh: more, changed: [] }])
      stage.emit(polled(a))
      expect(await live.entries(1)).toEqual([5])
    })

    test('are narrowed down by his own folders, whatever the crawl and others call them', async () => {
      const { stage, ada, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(stage, 1, 'Sea'), await arrive(stage, 1, 'Land')]
      await stage.store.follow(
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

    test('and so are polls and trouble, of which those about no feed are left out', async () => {
      const { stage, bob, listenAs } = await twoPeople()
      const [a, b] = [await arrive(stage), await arrive(stage)]
      await stage.store.follow(bob, [{ feedId: b }], NOW, 0)
      const stream = await listenAs(bob, '?kinds=polls,trouble&mine=true')
      await stream.next()
      stage.emit(polled(a, 0))
      stage.emit({ kind: 'host-rests', at: NOW, root: 'x.example', until: NOW + 1, failure: { kind: 'timeout' } })
      stage.emit(polled(b, 0))
      expect(await stream.next()).toMatchObject({ event: 'poll', data: { feedId: b } })
    })

    test('goes on where it broke off, past what is not his', async () => {
      const { stage, bob, listenAs } = await twoPeople()
      await arrive(stage, 250)
      const b = await arrive(stage, 3)
      await stage.store.follow(bob, [{ feedId: b }], NOW, 0)
      await arrive(stage, 250)
      const first = await listenAs(bob, '?after=0&mine=true')
      expect(await first.entries(1)).toEqual([251])
      await first.close()
      expect(await (await listenAs(bob, '?after=251&mine=true')).entries(2)).toEqual([252, 253])
    })
  })

  test('fifty listen, break off and come again in the middle of arrivals, and each hears all of it once', async () => {
    const stage = createServerFixture()
    const all = 400
    const heard = Array.from({ length: 50 }, async (_, who) => {
      const ids: number[] = []
      for (let turn = 0; ids.length < all; turn++) {
        const stream = await listen(stage, '', String(ids.at(-1) ?? 0))
        ids.push(...(await stream.entries(Math.min(all - ids.length, 1 + ((who * 7 + turn * 13) % 60)))))
        await stream.close()
      }
      return ids
    })
    for (let brought = 0; brought < all; brought += 8) {
      await arrive(stage, 8)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const expected = await allIds(stage)
    expect(expected.length).toBe(all)
    for (const ids of await Promise.all(heard)) expect(ids).toEqual(expected)
  })

  test('comes over sockets, too, and ends when the server closes', async () => {
    const stage = createServerFixture()
    const { url, close } = await stage.listen(0)
    const streams = await Promise.all(
      Array.from({ length: 10 }, async () => reading(await fetch(`${url}/api/v1/stream`))),
    )
    await arrive(stage, 4)
    for (const stream of streams) expect(await stream.entries(4)).toEqual([1, 2, 3, 4])
    await close() // the clock stands still: nobody is waited for
    for (const stream of streams) expect(await stream.next()).toBeUndefined()
  })
})

describe('a stream of all else', () => {
  test('tells polls, places and trouble as they happen, of the kinds that were asked for', async () => {
    const stage = createServerFixture()
    const id = await arrive(stage)
    const stream = await listen(stage, '?kinds=polls,stories,trouble')
    await stream.next()
    stage.emit(polled(id, 0))
    stage.emit({ kind: 'host-rests', at: NOW, root: 'x.example', until: NOW + 1, failure: { kind: 'timeout' } })
    const like = { likeId: 1 as EntryId, likeness: 0.9, reason: 'the same words' }
    stage.emit({ kind: 'joined', at: NOW, entryId: 2 as EntryId, title: 'B', level: 'story', ...like })
    const messages = [await stream.next(), await stream.next(), await stream.next()]
    expect(messages.map((message) => message?.event)).toEqual(['poll', 'trouble', 'story'])
    expect(messages[1]?.data).toMatchObject({ kind: 'host-rests', words: 'the server took too long to answer' })
  })

  test('says that it is there while nothing happens', async () => {
    const stage = createServerFixture()
    const stream = await listen(stage)
    await stream.next()
    const next = stream.next()
    await stage.clock.advance(HEARTBEAT_MS)
    expect(await next).toEqual({ '': 'still here', id: '0' })
  })
})

describe('who is slow', () => {
  test('is cut and told, and has lost no entry when he comes again', async () => {
    const stage = createServerFixture()
    const slow = await listen(stage, '?kinds=entries,polls')
    const quick = await listen(stage, '?kinds=polls')
    const id = await arrive(stage, 3)
    const heard: (string | undefined)[] = []
    for (let i = 0; i < 2 * MOST_WAITING; i++) {
      stage.emit(polled(id, 0))
      heard.push((await quick.next())?.event)
    }
    expect(heard.at(-1)).toBe('poll')
    const said: Message[] = []
    for (let message = await slow.next(); message; message = await slow.next()) said.push(message)
    expect(said.at(-1)).toMatchObject({ event: 'cut', data: { words: 'more than 256 messages waited' } })
    const lastId = said.findLast((message) => message.id !== undefined)!.id
    const ids = said.flatMap(({ event, data }) => (event === 'entry' ? [data!.id] : []))
    const rest = await (await listen(stage, '', lastId)).entries(3 - ids.length)
    expect([...ids, ...rest]).toEqual([1, 2, 3])
  })

  test('and takes nothing at all gives his place to another', async () => {
    const stage = createServerFixture()
    const ask = () => stage.app.request('/api/v1/stream')
    for (let i = 0; i < 100; i++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    await stage.clock.advance(PATIENCE_MS + HEARTBEAT_MS)
    expect((await ask()).status).toBe(200)
  })
})

describe('streams', () => {
  test('are ten of a user at most, and others are let in all the same', async () => {
    const stage = createServerFixture()
    const accounts = createAccounts({ people: stage.store, clock: stage.clock })
    const asking = async (name: string) => {
      const { id } = await accounts.add(name, 'correct horse battery')
      const secrets = [
        (await accounts.addToken(id, { name: 'one', allows: 'read' })).secret,
        (await accounts.addToken(id, { name: 'two', allows: 'read' })).secret,
      ]
      return (i: number) =>
        stage.app.request('/api/v1/stream', { headers: { authorization: `Bearer ${secrets[i % 2]}` } })
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

describe('a stream ends for who may no longer listen', () => {
  const password = 'correct horse battery'

  async function listening(allows: 'session' | 'token') {
    const stage = createServerFixture()
    const accounts = createAccounts({ people: stage.store, clock: stage.clock })
    const ada = await accounts.add('ada', password)
    const { token, secret } = await accounts.addToken(ada.id, { name: 't', allows: 'admin' })
    const ask = (method: string, path: string, headers: Record<string, string>, body: object = {}) =>
      stage.app.request(`http://localhost/api/v1/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
      })
    const login = await ask('POST', 'session', {}, { name: 'ada', password })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    const proof: Record<string, string> = allows === 'token' ? { authorization: `Bearer ${secret}` } : { cookie }
    const stream = reading(await ask('GET', 'stream', proof))
    expect(await stream.next()).toMatchObject({ id: '0' })
    return { ...stage, accounts, ada, token, ask, proof, cookie, stream }
  }

  test('at once, when he logs out', async () => {
    const { ask, proof, stream } = await listening('session')
    expect((await ask('DELETE', 'session', proof)).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
  })

  test('at once, when his token is revoked', async () => {
    const { ask, cookie, ada, token, stream } = await listening('token')
    expect((await ask('DELETE', `people/${ada.id}/tokens/${token.id}`, { cookie })).status).toBe(204)
    expect(await stream.next()).toBeUndefined()
  })

  test('soon, when that is done elsewhere, and not when nothing is', async () => {
    const { store, ada, token, clock, stream } = await listening('token')
    const beat = stream.next()
    await clock.advance(RECHECK_INTERVAL_MS)
    expect(await beat).toBeDefined()
    await store.removePasses(ada.id, { id: token.id })
    const last = stream.next()
    await clock.advance(RECHECK_INTERVAL_MS)
    await last // perhaps another beat
    expect(await stream.next()).toBeUndefined()
  })

  test('when the first account is made', async () => {
    const stage = createServerFixture()
    const stream = await listen(stage)
    await stream.next()
    await stage.app.request('/api/v1/people', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ada', password }),
    })
    expect(await stream.next()).toBeUndefined()
  })
})
