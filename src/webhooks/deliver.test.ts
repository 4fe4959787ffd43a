/** Deliveries of webhooks, their order, and what happens if a receiver does not answer. */
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../clocks/index.ts'
import {
  DAY,
  type EntryId,
  HOUR,
  MINUTE,
  type SavedSearchId,
  SECOND,
  type UserId,
  type WebhookId,
} from '../model/index.ts'
import { createHttpNet } from '../net/index.ts'
import { type Net, type NetPost, rolesOf } from '../ports/index.ts'
import { draft, newFeed, record } from '../ports/store-samples.contract.ts'
import { createMemorySearch } from '../search/index.ts'
import { createMemoryStore } from '../stores/index.ts'
import { createWebhooks } from './index.ts'
import { MAX_FAILURES, nextRetryAt } from './retry-schedule.ts'
import { signedHeaders } from './sign.ts'

const START = Date.UTC(2026, 0, 5)
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes !!!').toString('base64')}`
let stop = async () => {}
afterEach(() => stop())

interface Delivered {
  url: string
  headers: Record<string, string>
  body: { type: string; data: { search: string; entries: { id: number; title: string }[] } }
}

/** A store with one user, a search for "flood", and a scripted net. */
async function scene({ net }: { net?: Net } = {}) {
  const clock = createSteppedClock(START)
  const store = createMemoryStore()
  const search = createMemorySearch()
  const deliveries: Delivered[] = []
  const failureReports: [string, boolean][] = []
  const answers: (number | 'broken')[] = []
  let gatePromise: Promise<void> | undefined
  const userId = (await store.addUser({ name: 'ada', scope: 'admin', addedAt: START, password: 'x' })) as UserId
  const searchId = (await store.addSharedItem('search', {
    userId,
    name: 'Floods',
    query: 'flood',
    addedAt: START,
  })) as SavedSearchId
  const [{ id: feedId } = { id: 0 as never }] = await store.addFeeds([newFeed('tides')])
  await store.follow(userId, [{ feedId }], START, 0)
  const fake: Net = {
    get: () => Promise.reject(new Error('nothing is fetched')),
    async post(request: NetPost) {
      await gatePromise
      const text = 'document' in request ? request.document.text : ''
      deliveries.push({ url: request.url, headers: request.headers ?? {}, body: JSON.parse(text) })
      const status = answers.shift() ?? 204
      if (status === 'broken') return { ok: false, failure: { kind: 'timeout' } }
      return {
        ok: true,
        status,
        url: request.url as never,
        redirects: [],
        headers: {},
        body: new Uint8Array(),
        wireBytes: 0,
      }
    },
    close: async () => {},
  }
  const parts = { ...rolesOf(store), search, clock, net: net ?? fake, random: () => 0.5 }
  const errors: unknown[] = []
  const start = () => {
    const ended = new AbortController()
    const webhooks = createWebhooks({
      ...parts,
      onFailure: (_, words, isDisabled) => failureReports.push([words, isDisabled]),
      onInternalError: (error) => errors.push(error),
    })
    const running = webhooks.run(ended.signal)
    stop = async () => {
      ended.abort()
      await running
      if (errors.length > 0) throw errors[0]
    }
    return webhooks
  }
  async function index() {
    const { positions, changes } = await store.unindexed(1000)
    const documents = changes.flatMap(({ id, entry }) =>
      entry
        ? [
            {
              id,
              feedId: entry.feedId,
              at: entry.seenAt,
              title: entry.title,
              text: '',
              names: [],
              language: 'en',
              category: 'none',
            },
          ]
        : [],
    )
    await search.put(documents)
    await store.markIndexed(positions)
  }
  let polls = 0
  return {
    store,
    clock,
    deliveries,
    failureReports,
    answers,
    userId,
    start,
    hold: () => {
      const gate = Promise.withResolvers<void>()
      gatePromise = gate.promise
      return gate.resolve
    },
    add: async (name = 'hook', url = 'https://receiver.example/in?key=1') =>
      (await store.addSharedItem('webhook', {
        userId,
        name,
        url,
        secret: SECRET,
        searchId,
        state: 'active',
        addedAt: START,
        dueAt: START,
        cursor: await store.newestEntryId(),
      })) as WebhookId,
    /** Entries that arrive; `isIndexed`: they are searchable at once. */
    async arrive(titles: string[], isIndexed = true) {
      const fresh = titles.map((title, i) => draft(`${polls}-${i}`, { title }))
      await store.recordPolls([record(feedId, clock.now() + polls++, { fresh })])
      if (isIndexed) await index()
    },
    index,
    hook: async () => (await store.sharedItems('webhook', userId))[0]!,
    async settled(condition: () => boolean | Promise<boolean>) {
      for (let i = 0; i < 2000 && !(await condition()); i++) await new Promise((resolve) => setImmediate(resolve))
      expect(await condition()).toBe(true)
    },
  }
}

describe('a webhook', () => {
  it('receives new results of its search once, in order of arrival, signed', async () => {
    const { arrive, add, start, deliveries, settled, hook } = await scene()
    await arrive(['an old flood'])
    await add()
    await arrive(['a flood', 'a fire', 'another flood'])
    const webhooks = start()
    await settled(() => deliveries.length === 1)
    await arrive(['a third flood'])
    webhooks.wake()
    await settled(() => deliveries.length === 2)
    expect(deliveries.map(({ body }) => body.data.entries.map(({ title }) => title))).toEqual([
      ['a flood', 'another flood'],
      ['a third flood'],
    ])
    const { headers, body } = deliveries[0]!
    expect([body.type, body.data.search]).toEqual(['entries.found', 'Floods'])
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${JSON.stringify(body)}`
    const key = Buffer.from('a secret of thirty-two bytes !!!')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    await settled(async () => (await hook()).cursor === 5)
    expect(await hook()).toMatchObject({ failures: 0, last: { status: 204 } })
  })

  it('is retried after a failure with backoff, under the same id, and then receives the rest', async () => {
    const { arrive, add, start, deliveries, settled, answers, clock, hook, failureReports } = await scene()
    await add()
    await arrive(['a flood'])
    answers.push(500, 'broken', 301)
    start()
    await settled(async () => (await hook()).failures === 1)
    expect((await hook()).last).toMatchObject({ status: 500, trouble: expect.stringContaining('500') })
    for (const [pauseMs, failures] of [
      [6 * SECOND, 2],
      [2 * MINUTE, 3],
    ] as const) {
      await clock.advance(pauseMs)
      await settled(async () => (await hook()).failures === failures)
    }
    await clock.advance(6 * MINUTE)
    await settled(async () => (await hook()).failures === 0)
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect([deliveries.length, failureReports.map(([words]) => words)]).toEqual([
      4,
      [
        expect.stringContaining('500'),
        expect.stringMatching(/./),
        expect.stringContaining('redirects are not followed'),
      ],
    ])
  })

  it.each([
    ['in the same process', false],
    ['after a restart', true],
  ])('repeats a failed delivery with its id and body while entries arrive, %s', async (_, restarts) => {
    const { arrive, add, start, deliveries, settled, answers, clock, hook } = await scene()
    await add()
    await arrive(['a flood', 'a fire'])
    answers.push(500, 'broken')
    const webhooks = start()
    for (const [failures, pauseMs] of [
      [1, 6 * SECOND],
      [2, 2 * MINUTE],
    ] as const) {
      await settled(async () => (await hook()).failures === failures)
      await arrive([`flood ${failures}`])
      webhooks.wake()
      if (restarts) {
        await stop()
        start()
      }
      await clock.advance(pauseMs)
    }
    await settled(() => deliveries.length === 4)
    const [first, ...others] = deliveries.map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
    expect(others.slice(0, 2)).toEqual([first, first])
    expect(first!.body.data.entries.map(({ title }) => title)).toEqual(['a flood'])
    expect(others[2]!.id).not.toBe(first!.id)
    expect(others[2]!.body.data.entries.map(({ title }) => title)).toEqual(['flood 1', 'flood 2'])
    await settled(async () => (await hook()).cursor === 4)
    expect((await hook()).last).toEqual({ at: expect.any(Number), status: 204 })
  })

  it('continues if the entries of a failed delivery are gone', async () => {
    const { arrive, add, start, deliveries, settled, answers, clock, hook, store } = await scene()
    await add()
    await arrive(['a flood'])
    answers.push(500)
    start()
    await settled(async () => (await hook()).failures === 1)
    await store.forgetEntriesById([1 as EntryId])
    await arrive(['a second flood'])
    await clock.advance(6 * SECOND)
    await settled(() => deliveries.length === 2)
    expect(deliveries[1]!.body.data.entries.map(({ title }) => title)).toEqual(['a second flood'])
    await settled(async () => (await hook()).failures === 0)
  })

  it('is disabled with its last error after 13 failures, and at once on 410', async () => {
    const { arrive, add, start, answers, clock, hook, settled, failureReports } = await scene()
    await add()
    await arrive(['a flood'])
    for (let i = 0; i < MAX_FAILURES; i++) answers.push(503)
    start()
    for (let i = 1; i <= MAX_FAILURES; i++) {
      await settled(async () => (await hook()).failures >= i)
      await clock.advance(12 * HOUR)
    }
    expect(await hook()).toMatchObject({
      state: 'failed',
      last: { status: 503, trouble: expect.stringMatching(/^disabled after 13 failures/) },
    })
    expect(failureReports.at(-1)?.[1]).toBe(true)
    const gone = await scene()
    await gone.add()
    await gone.arrive(['a flood'])
    gone.answers.push(410)
    await stop()
    gone.start()
    await gone.settled(async () => (await gone.hook()).state === 'failed')
  })

  it('continues after a restart, and repeats a batch that was not acknowledged', async () => {
    const { arrive, add, start, deliveries, hold, settled, hook } = await scene()
    await add()
    await arrive(['a flood'])
    const release = hold()
    start()
    await settled(async () => true)
    const stopping = stop() // like kill -9: the delivery in flight is not recorded
    release()
    await stopping
    expect((await hook()).cursor).toBe(0)
    const before = deliveries.length
    start()
    await settled(() => deliveries.length > before)
    await settled(async () => (await hook()).cursor === 1)
    expect(deliveries.at(-1)!.body.data.entries).toHaveLength(1)
  })

  it('waits for entries that are not indexed yet', async () => {
    const { arrive, add, start, deliveries, settled, index, clock } = await scene()
    await add()
    await arrive(['a flood'], false)
    const webhooks = start()
    await clock.advance(MINUTE)
    expect(deliveries).toEqual([])
    await index()
    await clock.advance(MINUTE)
    webhooks.wake()
    await settled(() => deliveries.length === 1)
  })

  it('gets one request at a time per receiver, and does not block others', async () => {
    const { arrive, add, start, deliveries, hold, settled } = await scene()
    await add('one', 'https://slow.example/a')
    await add('two', 'https://slow.example/b')
    await add('three', 'https://quick.example/')
    await arrive(['a flood'])
    const release = hold()
    start()
    await settled(async () => true)
    release()
    await settled(() => deliveries.length === 3)
    const urls = deliveries.map(({ url }) => url)
    expect(urls.indexOf('https://slow.example/b')).toBe(2)
  })

  it('rejects private addresses', async () => {
    const net = createHttpNet({ userAgent: 'test' })
    const { arrive, add, start, hook, settled } = await scene({ net })
    await add('inside', 'http://127.0.0.1:9/')
    await arrive(['a flood'])
    start()
    await settled(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return (await hook()).failures === 1
    })
    expect((await hook()).last?.trouble).toMatch(/the address is not allowed: 127\.0\.0\.1 is a loopback address/)
    await stop()
    stop = async () => {}
    await net.close()
  })

  it('limits batches by entries and bytes', async () => {
    const { arrive, add, start, deliveries, settled } = await scene()
    await add()
    await arrive(Array.from({ length: 120 }, (_, i) => `flood ${i} ${'x'.repeat(5000)}`))
    start()
    await settled(() => deliveries.reduce((sum, { body }) => sum + body.data.entries.length, 0) === 120)
    for (const { body } of deliveries) {
      expect(body.data.entries.length).toBeLessThanOrEqual(50)
      expect(JSON.stringify(body).length).toBeLessThan(600_000)
    }
  })
})

describe('the backoff', () => {
  it('waits longer after each failure, for about three days in total', () => {
    let at = START
    let before = 0
    for (let failures = 1; failures < MAX_FAILURES; failures++) {
      const next = nextRetryAt(failures, at, 0.5)!
      expect(next - at).toBeGreaterThanOrEqual(before)
      before = next - at
      at = next
    }
    expect(nextRetryAt(MAX_FAILURES, at, 0.5)).toBeUndefined()
    expect(at - START).toBeGreaterThan(2.5 * DAY)
    expect(at - START).toBeLessThan(4 * DAY)
  })
})

it('signs the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330_000, '{"test": 2432232314}', secret)
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
