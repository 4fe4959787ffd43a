/** Notifications from their cause to a push service on loopback, on a stepped clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createServerFixture, NOW } from '../../test/server-fixture.ts'
import { createRuleRunner, loadProgress, saveRules } from '../filtering/index.ts'
import { DAY, type EntryId, HOUR, MINUTE, type RuleAction, type SavedSearchId, SECOND } from '../model/index.ts'
import { createHttpNet } from '../net/http-net.ts'
import { rolesOf } from '../ports/index.ts'
import { createNotifier } from './notifier.ts'
import { startPushService } from './push-service.fixture.ts'
import { addDevice, ensureVapidKeys, loadDevices } from './stored-devices.ts'

type Entries = { title: string; publishedAt?: number; imported?: true }[]

async function started() {
  const fixture = createServerFixture()
  const { store, clock, addFeed, index } = fixture
  const service = await startPushService()
  const net = createHttpNet({ userAgent: 'Test/1', allowNetworks: ['127.0.0.0/8'] })
  const userId = await store.firstUser()
  const feedId = await addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor News',
    entries: [{ title: 'An old ferry', agoMs: DAY }],
  })
  await index()
  const errors: unknown[] = []
  const parts = {
    ...rolesOf(store),
    search: fixture.search,
    clock,
    net,
    contact: 'mailto:ada@example.org',
    waitingForRules: async () => (await loadProgress({ userValues: store }, userId))?.waiting ?? [],
    onInternalError: (error: unknown): unknown => errors.push(error),
  }
  const searchId = (await store.addSharedItem('search', {
    userId,
    name: 'ferries',
    query: 'ferry',
    addedAt: NOW,
  })) as SavedSearchId
  const keys = await ensureVapidKeys(parts, userId)
  async function arrive(entries: Entries, options: { feed?: typeof feedId } = {}): Promise<EntryId[]> {
    const before = await store.newestEntryId()
    const at = clock.now()
    const schedule = { strategy: 'fix', memory: new Uint8Array(0), dueAt: at + HOUR, failures: 0 }
    const fresh = entries.map((entry) => ({ key: `${at} ${entry.title}`, publishedAt: at, ...entry }))
    const poll = {
      feedId: options.feed ?? feedId,
      at,
      tookMs: 1,
      bytes: 1,
      conditional: true,
      result: { kind: 'read', fresh: fresh.length, changed: 0, window: fresh.length, gap: false } as const,
    }
    await store.recordPolls([{ poll, schedule, fresh, changed: [] }])
    await index()
    const ids: EntryId[] = []
    for await (const { id } of store.everyEntry({ after: before })) ids.push(id)
    return ids
  }
  return {
    ...fixture,
    service,
    userId,
    feedId,
    parts,
    keys,
    searchId,
    arrive,
    errors,
    device: async (name: string, more: object = {}) =>
      addDevice(parts, userId, { ...service.subscribe(name), ...more }),
    notifySearch: async () =>
      store.putUserValues(
        userId,
        'searchNotification',
        [{ key: String(searchId), value: { cursor: await store.newestEntryId() } }],
        clock.now(),
      ),
    notifyByRule: (query: string, ...actions: RuleAction[]) =>
      saveRules(parts, userId, [
        {
          id: 'r',
          name: 'harbor rule',
          enabled: true,
          scope: { kind: 'all' },
          query,
          actions: [...actions, { kind: 'notify' }],
        },
      ]),
    applyRules: () => createRuleRunner({ ...parts, requestArticle: async () => undefined }).runOnce(),
    /** What the loop does in the next quarter of a minute. */
    async run(changes: Partial<typeof parts> = {}) {
      const notifier = createNotifier({ ...parts, ...changes })
      await notifier.runOnce()
      await clock.advance(15 * SECOND)
      await notifier.runOnce()
    },
    titles: () => service.received.map(({ message }) => message.title),
    async close() {
      await net.close()
      await service.close()
    },
  }
}

let fixture: Awaited<ReturnType<typeof started>>
beforeEach(async () => {
  fixture = await started()
})
afterEach(async () => {
  await fixture.close()
  expect(fixture.errors).toEqual([])
})

describe('a new entry', () => {
  test('of a saved search is sent once to each device, encrypted, with a token of the user', async () => {
    const { service, keys, device, notifySearch, arrive, run } = fixture
    await device('laptop')
    await device('phone')
    await notifySearch()
    const [id] = await arrive([{ title: 'The ferry sails again' }, { title: 'Fog' }])
    await run()
    await run()
    const received = service.received.toSorted((a, b) => a.browser.localeCompare(b.browser))
    expect(received.map(({ browser, message }) => [browser, message])).toEqual(
      ['laptop', 'phone'].map((browser) => [
        browser,
        {
          title: 'The ferry sails again',
          body: 'Harbor News · ferries',
          url: `/read/all?e=${id}`,
          tag: `entry-${id}`,
        },
      ]),
    )
    const { headers, claims } = service.received[0]!
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal', topic: `entry-${id}` })
    expect(Number(headers.ttl)).toBeGreaterThan(86_000)
    expect(claims).toMatchObject({ aud: service.url, sub: 'mailto:ada@example.org', publicKey: keys.publicKey })
  })

  test('of a rule is sent, unless a rule mutes it', async () => {
    const { device, notifyByRule, arrive, applyRules, run, titles } = fixture
    await device('laptop')
    await notifyByRule('ferry')
    await arrive([{ title: 'The ferry sails again' }])
    await applyRules()
    await run()
    expect(titles()).toEqual(['The ferry sails again'])
    await notifyByRule('ferry', { kind: 'mute' })
    await arrive([{ title: 'A muted ferry' }])
    await applyRules()
    await run()
    expect(titles()).toHaveLength(1)
  })

  test('that both a rule and a search ask for is sent once', async () => {
    const { device, notifyByRule, notifySearch, arrive, applyRules, run, titles } = fixture
    await device('laptop')
    await notifyByRule('ferry')
    await notifySearch()
    await arrive([{ title: 'The ferry sails again' }])
    await applyRules()
    await run()
    await run()
    expect(titles()).toEqual(['The ferry sails again'])
  })

  test('is not sent if it was muted, read, imported, is old, or came with the first poll of its feed', async () => {
    const { store, userId, device, notifySearch, arrive, addFeed, index, run, titles, clock } = fixture
    await device('laptop')
    await notifySearch()
    const [muted, read] = await arrive([
      { title: 'A muted ferry' },
      { title: 'A read ferry' },
      { title: 'An imported ferry', imported: true },
      { title: 'A ferry of last month', publishedAt: clock.now() - 30 * DAY },
    ])
    await store.muteEntries(userId, [muted!], true, clock.now())
    await store.markEntries(userId, [read!], 'read', clock.now())
    await addFeed({ url: 'https://new.example/feed', title: 'New', entries: [{ title: 'A first ferry', agoMs: HOUR }] })
    await index()
    await run()
    expect(titles()).toEqual([])
  })

  test('of a feed that the user does not see is not sent', async () => {
    const { store, userId, feedId, device, notifySearch, arrive, run, titles } = fixture
    for (const name of ['ada', 'bob']) await store.addUser({ name, scope: 'write', addedAt: NOW, password: 'x' })
    await device('laptop')
    await notifySearch()
    await store.unfollow(userId, [{ feedId }])
    await arrive([{ title: 'A hidden ferry' }])
    await run()
    expect(titles()).toEqual([])
  })
})

describe('many entries', () => {
  test('with the same reason are combined', async () => {
    const { service, device, notifySearch, arrive, run } = fixture
    await device('laptop')
    await notifySearch()
    await arrive(Array.from({ length: 12 }, (_, i) => ({ title: `Ferry ${i + 1}` })))
    await run()
    expect(service.received.map(({ message }) => message)).toEqual([
      {
        title: '12 new entries for “ferries”',
        body: 'Ferry 1\nFerry 2\nFerry 3\nand 9 more',
        url: '/read/search?q=ferry',
        tag: expect.stringMatching(/^search-1-\d+$/),
      },
    ])
  })

  test('are at most ten notifications in an hour; the rest waits and is combined', async () => {
    const { device, notifySearch, arrive, run, titles, clock } = fixture
    await device('laptop')
    await notifySearch()
    await clock.advance(HOUR - ((clock.now() + 1) % HOUR)) // the hour begins
    for (let i = 1; i <= 14; i++) {
      await arrive([{ title: `Ferry ${i}` }])
      await run()
      await clock.advance(MINUTE)
    }
    expect(titles()).toEqual(Array.from({ length: 10 }, (_, i) => `Ferry ${i + 1}`))
    await clock.advance(HOUR)
    await run()
    expect(titles().slice(10)).toEqual(['4 new entries for “ferries”'])
  })

  test('with long titles and queries stay below the limit of push services', async () => {
    const { store, userId, searchId, service, device, notifySearch, arrive, run } = fixture
    await store.changeSharedItem('search', userId, searchId, { query: `ferry OR ${'船'.repeat(900)}` })
    await device('laptop')
    await notifySearch()
    await arrive(Array.from({ length: 5 }, (_, i) => ({ title: `Ferry ${i} ${'渡し船🚢'.repeat(200)}` })))
    await run()
    expect(Number(service.received[0]!.headers['content-length'])).toBeLessThan(3200)
  })
})

describe('a device', () => {
  test('is removed when the push service answers 404 or 410', async () => {
    for (const status of [404, 410]) {
      const { service, userId, parts, device, notifySearch, arrive, run } = fixture
      await device('laptop')
      await notifySearch()
      service.answers.push(status)
      await arrive([{ title: 'The ferry sails again' }])
      await run()
      expect(await loadDevices(parts, userId)).toEqual([])
      await fixture.clock.advance(MINUTE)
    }
  })

  test('gets a message later if its push service fails, and shows why', async () => {
    const { service, userId, parts, device, notifySearch, arrive, run, titles, clock } = fixture
    await device('laptop')
    await notifySearch()
    service.answers.push(503, 'close')
    await arrive([{ title: 'The ferry sails again' }])
    await run()
    expect(await loadDevices(parts, userId)).toMatchObject([{ failures: 1, trouble: expect.stringContaining('503') }])
    await run()
    await clock.advance(30 * SECOND)
    await run()
    expect(await loadDevices(parts, userId)).toMatchObject([{ failures: 2 }])
    expect(titles()).toEqual([])
    await clock.advance(5 * MINUTE)
    await run()
    expect(titles()).toEqual(['The ferry sails again'])
    const [after] = await loadDevices(parts, userId)
    expect([after!.failures, after!.trouble]).toEqual([0, undefined])
  })

  test('gets no messages that are older than a day', async () => {
    const { service, device, notifySearch, arrive, run, titles, clock } = fixture
    await device('laptop')
    await notifySearch()
    service.answers.push(503)
    await arrive([{ title: 'The ferry sails again' }])
    await run()
    await clock.advance(25 * HOUR)
    await run()
    expect(titles()).toEqual([])
  })

  test('is removed when its session has ended', async () => {
    const { store, userId, parts, device, notifySearch, arrive, run, titles } = fixture
    await store.addUser({ name: 'ada', scope: 'write', addedAt: NOW, password: 'x' })
    const session = { userId, kind: 'session', name: 'laptop', scope: 'write', addedAt: NOW } as const
    const sessionId = await store.addCredential(session, new Uint8Array([1]))
    await device('laptop', { sessionId })
    await notifySearch()
    await store.removeCredentials(userId, { id: sessionId })
    await arrive([{ title: 'The ferry sails again' }])
    await run()
    expect([titles(), await loadDevices(parts, userId)]).toEqual([[], []])
  })

  test('in a private network is not asked', async () => {
    const { userId, parts, device, notifySearch, arrive, run, titles } = fixture
    await device('laptop')
    await notifySearch()
    await arrive([{ title: 'The ferry sails again' }])
    const net = createHttpNet({ userAgent: 'Test/1' })
    await run({ net })
    await net.close()
    expect(titles()).toEqual([])
    expect((await loadDevices(parts, userId))[0]).toMatchObject({ failures: 1 })
  })
})

describe('after a crash', () => {
  test.each(['pushMessage', 'notified', 'notification', 'notificationCount', 'pushDevice'] as const)(
    'before or after %s is stored, at most one notification is sent twice, with the same tag',
    async (kind) => {
      for (const when of ['before', 'after'] as const) {
        const own = await started()
        await own.device('laptop')
        await own.notifySearch()
        await own.arrive(['one', 'two', 'three'].map((word) => ({ title: `Ferry ${word}` })))
        let isBroken = false
        const putUserValues: typeof own.store.putUserValues = async (userId, at, ...rest) => {
          if (at === kind && !isBroken && when === 'before') {
            isBroken = true
            throw new Error('killed')
          }
          await own.store.putUserValues(userId, at, ...rest)
          if (at === kind && !isBroken) {
            isBroken = true
            throw new Error('killed')
          }
        }
        const userValues = { ...own.parts.userValues, putUserValues }
        await own.run({ userValues, onInternalError: () => 0 })
        for (let i = 0; i < 3; i++) await own.run()
        const tags = own.service.received.map(({ message }) => message.tag)
        expect(new Set(tags).size, `${kind} ${when}`).toBe(3)
        expect(tags.length, `${kind} ${when}`).toBeLessThanOrEqual(4)
        await own.close()
      }
    },
  )
})
