/** Digests from the API of the server to a mail server on loopback, on a stepped clock. */
import { afterEach, describe, expect, test } from 'vitest'
import { headerOf, startMailServer } from '../../../test/mail-server.ts'
import { createServerFixture, NOW } from '../../../test/server-fixture.ts'
import { DAY, HOUR, MINUTE, type SavedSearchId, type UserId } from '../../model/index.ts'
import { createSmtpMailer } from '../../net/smtp-mailer.ts'
import { createDigestRunner } from './digest-runner.ts'
import { loadDigestProgress, loadDigests } from './stored-digests.ts'

const PAGE = 'https://news.example'
/** NOW is 09:26 UTC. */
const DAILY = { every: 'day', weekday: 1, hour: 12, timeZone: 'UTC', morning: true, searches: [], folders: [] } as const

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

async function started() {
  const server = await startMailServer()
  toClose.push(server.close)
  const from = 'Freshet <news@news.example>'
  const mailer = createSmtpMailer({ host: '127.0.0.1', port: server.port, tls: 'none', from })
  const fixture = createServerFixture({ mailer, publicUrl: `${PAGE}/`, localKey: 'local' })
  const { store, clock, app, addFeed, index } = fixture
  const { createClientForUser } = await import('../../server/index.ts')
  const request = (url: string, init: RequestInit) => app.request(url, init)
  const errors: unknown[] = []
  const parts = {
    userValues: store as Pick<typeof store, 'userValues' | 'putUserValues' | 'everyUserValue'>,
    clock,
    clientFor: createClientForUser({ users: store, localKey: 'local', request }),
    mailer,
    pageUrl: PAGE,
    onInternalError: (error: unknown): unknown => errors.push(error),
  }
  let feeds = 0
  const ask = async (method: string, path: string, body?: object, user?: string) => {
    const response = await app.request(`http://localhost/api/v1/notifications${path}`, {
      method,
      headers: {
        authorization: 'Bearer local',
        'content-type': 'application/json',
        ...(user && { 'freshet-user': user }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text ? JSON.parse(text) : undefined }
  }
  const linkIn = (raw: string, purpose: string) => {
    const plain = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    return new RegExp(`${PAGE}(/mail/${purpose}\\?token=[\\w.-]+)`).exec(plain)![1]!
  }
  const visit = async (path: string, method = 'GET') => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = method === 'GET' ? {} : { method, headers, body: 'List-Unsubscribe=One-Click' }
    return app.request(`http://localhost${path}`, init)
  }
  return {
    ...fixture,
    server,
    parts,
    errors,
    ask,
    visit,
    linkIn,
    userId: await store.firstUser(),
    async arrive(...titles: string[]) {
      const at = clock.now()
      const feedId = await addFeed({ url: `https://f${++feeds}.example/feed`, title: 'Harbor', folder: 'Ports' })
      const fresh = titles.map((title) => ({ key: title, title, publishedAt: at, url: 'https://harbor.example/1' }))
      const schedule = { strategy: 'fix', memory: new Uint8Array(0), dueAt: at + DAY, failures: 0 }
      const result = { kind: 'read', fresh: fresh.length, changed: 0, window: fresh.length, gap: false } as const
      const poll = { feedId, at, tookMs: 1, bytes: 1, conditional: true, result }
      await store.recordPolls([{ poll, schedule, fresh, changed: [] }])
      await index()
    },
    async confirm(address = 'ada@example.org') {
      await ask('PUT', '/email', { address })
      const { raw } = server.received.at(-1)!
      server.received.length = 0
      expect((await visit(linkIn(raw, 'confirm'), 'POST')).status).toBe(200)
    },
    /** Digests that were sent, by their subject. */
    subjects: () => server.received.map((mail) => headerOf(mail, 'subject')),
    run: (changes: Partial<typeof parts> = {}) => createDigestRunner({ ...parts, ...changes }).runOnce(),
  }
}

describe('a digest', () => {
  test('is sent once when it is due, whatever restarts, by one of several servers', async () => {
    const { clock, ask, confirm, arrive, run, subjects, server, linkIn } = await started()
    await confirm()
    expect((await ask('PUT', '/digest', { ...DAILY, byEmail: true })).json.digest.nextAt).toBe(
      '2026-03-14T12:00:00.000Z',
    )
    await arrive('Fog <script>alert(1)</script> & "ice"', 'A ferry sails')
    await run()
    expect(subjects()).toEqual([])
    await clock.advance(3 * HOUR)
    await run()
    await run()
    expect(subjects()).toEqual(['14 March 2026: A ferry sails'])
    const raw = server.received[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(raw).toContain(`${PAGE}/read/all?e=`)
    expect(raw).toContain('Fog &lt;script&gt;')
    expect(raw.slice(raw.indexOf('<!doctype html>'))).not.toContain('<script>')
    expect(linkIn(raw, 'unsubscribe')).toBe(
      headerOf(server.received[0]!, 'list-unsubscribe')!.slice(1 + PAGE.length, -1),
    )
    await clock.advance(DAY)
    await arrive('A second ferry')
    await run()
    expect(subjects()).toHaveLength(1)
    await clock.advance(DAY)
    await run()
    expect(subjects().slice(1)).toEqual(['16 March 2026: A second ferry'])
  })

  test('is not made when there is nothing new', async () => {
    const { store, userId, clock, ask, confirm, run, subjects } = await started()
    await confirm()
    await ask('PUT', '/digest', { ...DAILY, byEmail: true })
    await clock.advance(3 * HOUR)
    await run()
    expect(subjects()).toEqual([])
    expect(await loadDigests({ userValues: store }, userId)).toEqual([])
  })

  test('contains the chosen saved searches and folders', async () => {
    const { store, userId, clock, ask, arrive, run, index } = await started()
    const search = { userId, name: 'ferries', query: 'ferry', addedAt: NOW }
    const id = (await store.addSharedItem('search', search)) as SavedSearchId
    await ask('PUT', '/digest', { ...DAILY, morning: false, searches: [id], folders: ['Ports'] })
    await arrive('A ferry sails', 'Fog')
    await index()
    await clock.advance(3 * HOUR)
    await run()
    const [digest] = await loadDigests({ userValues: store }, userId)
    expect(digest!.text).toMatch(/## ferries\n\n\* A ferry sails[\s\S]*## Ports\n\n[\s\S]*Fog/)
  })

  test('of a user has only what they may see', async () => {
    const { store, clock, ask, arrive, addFeed, index, run } = await started()
    await arrive('A ferry sails')
    await addFeed({
      url: 'https://secret.example/f',
      title: 'Secret',
      entries: [{ title: 'A secret ferry', agoMs: HOUR }],
    })
    await index()
    const ada = (await store.addUser({ name: 'ada', scope: 'write', addedAt: NOW, password: 'x' })) as UserId
    const bob = (await store.addUser({ name: 'bob', scope: 'admin', addedAt: NOW, password: 'x' })) as UserId
    const [open] = (await store.listEntries({ limit: 9 })).entries.filter(({ title }) => title === 'A ferry sails')
    await store.follow(bob, [{ feedId: open!.feedId }], NOW, 9)
    for (const user of ['ada', 'bob']) await ask('PUT', '/digest', DAILY, user)
    await clock.advance(3 * HOUR)
    await run()
    const texts = async (userId: UserId) => (await loadDigests({ userValues: store }, userId))[0]?.text
    expect(await texts(ada)).toContain('secret')
    expect(await texts(bob)).toContain('A ferry sails')
    expect(await texts(bob)).not.toContain('secret')
  })

  test('is bounded, however much there is', async () => {
    const { store, userId, clock, ask, arrive, run, index } = await started()
    const search = { userId, name: 'ferries', query: 'ferry', addedAt: NOW }
    const id = (await store.addSharedItem('search', search)) as SavedSearchId
    await ask('PUT', '/digest', { ...DAILY, searches: [id], folders: Array.from({ length: 9 }, () => 'Ports') })
    await arrive(...Array.from({ length: 60 }, (_, i) => `Ferry ${i} ${'&'.repeat(900)}`))
    await index()
    await clock.advance(3 * HOUR)
    await run()
    const [digest] = await loadDigests({ userValues: store }, userId)
    expect(digest!.html.length).toBeLessThan(100_000)
    expect(JSON.stringify(digest).length).toBeLessThan(262_144)
  })
})

describe('an e-mail', () => {
  test('is sent to no address that is not confirmed, and opening the link confirms nothing', async () => {
    const { clock, ask, visit, arrive, run, subjects, server, linkIn } = await started()
    expect((await ask('PUT', '/digest', { ...DAILY, byEmail: true })).status).toBe(409)
    expect((await ask('PUT', '/email', { address: 'ada@example.org' })).json.email.isConfirmed).toBe(false)
    const link = linkIn(server.received.pop()!.raw, 'confirm')
    const shown = await visit(link)
    expect(await shown.text()).toContain('<button>Confirm this address</button>')
    await ask('PUT', '/digest', { ...DAILY, byEmail: true })
    await arrive('A ferry sails')
    await clock.advance(3 * HOUR)
    await run()
    expect(subjects()).toEqual([])
    const { json } = await ask('GET', '')
    expect(json.email).toEqual({ address: 'ada@example.org', isConfirmed: false })
    expect(json.digest.last.trouble).toContain('not confirmed')
    expect((await visit(link.replace('confirm', 'unsubscribe'), 'POST')).status).toBe(404)
    expect((await visit(`${link.slice(0, -2)}xx`, 'POST')).status).toBe(404)
    await clock.advance(DAY)
    expect((await visit(link, 'POST')).status).toBe(404)
  })

  test('confirms one address of one user, at most five times a day', async () => {
    const { clock, ask, visit, linkIn, server } = await started()
    await ask('PUT', '/email', { address: 'ada@example.org' })
    const link = linkIn(server.received[0]!.raw, 'confirm')
    expect((await ask('PUT', '/email', { address: 'eve@example.org' })).status).toBe(409)
    for (let i = 0; i < 6; i++) {
      await clock.advance(2 * MINUTE)
      await ask('DELETE', '/email')
      await ask('PUT', '/email', { address: 'eve@example.org' })
    }
    expect(server.received).toHaveLength(5)
    expect((await visit(link, 'POST')).status).toBe(404)
    for (const address of [
      'ada',
      'a b@example.org',
      '<ada@example.org>',
      'ada@example.org,eve@example.org',
      'a@b\r\nc',
    ])
      expect((await ask('PUT', '/email', { address })).status).toBe(400)
  })

  test('ends by one click, without logging in', async () => {
    const { clock, ask, visit, confirm, arrive, run, subjects, server, linkIn } = await started()
    await confirm()
    expect((await ask('PUT', '/email', { address: 'ada@example.org' })).json.email.isConfirmed).toBe(true)
    await ask('PUT', '/digest', { ...DAILY, byEmail: true })
    await arrive('A ferry sails')
    await clock.advance(3 * HOUR)
    await run()
    const link = linkIn(server.received[0]!.raw, 'unsubscribe')
    await visit(link)
    expect((await ask('GET', '')).json.digest.byEmail).toBe(true)
    expect((await visit(link.replace('unsubscribe', 'confirm'), 'POST')).status).toBe(404)
    expect((await visit(link, 'POST')).status).toBe(200)
    expect((await ask('GET', '')).json.digest.byEmail).toBe(false)
    await clock.advance(DAY)
    await arrive('A second ferry')
    await run()
    await clock.advance(DAY)
    await run()
    expect(subjects()).toHaveLength(1)
  })

  test('is sent again with the same id while the mail server fails, for a day, and the user sees why', async () => {
    const { clock, ask, confirm, arrive, run, subjects, server } = await started()
    await confirm()
    await ask('PUT', '/digest', { ...DAILY, byEmail: true })
    await arrive('A ferry sails')
    await clock.advance(3 * HOUR)
    server.answers.push(451)
    await run()
    expect((await ask('GET', '')).json.digest.last.trouble).toContain('451')
    await run()
    expect(subjects()).toEqual([])
    await clock.advance(6 * MINUTE)
    await run()
    expect(subjects()).toHaveLength(1)
    expect((await ask('GET', '')).json.digest.last.trouble).toBeUndefined()
    await arrive('A second ferry')
    await clock.advance(DAY)
    server.answers.push(...Array.from({ length: 50 }, () => 451))
    for (let i = 0; i < 22; i++) {
      await run()
      await clock.advance(HOUR)
    }
    expect(50 - server.answers.length).toBeLessThan(12)
  })

  test('that is refused for good is not sent again', async () => {
    const { store, userId, clock, ask, confirm, arrive, run, server } = await started()
    await confirm()
    await ask('PUT', '/digest', { ...DAILY, byEmail: true })
    await arrive('A ferry sails')
    await clock.advance(3 * HOUR)
    server.answers.push(554)
    await run()
    await clock.advance(HOUR)
    await run()
    expect(server.received).toEqual([])
    expect(await loadDigestProgress({ userValues: store }, userId)).not.toHaveProperty('mail')
  })
})

test('a crash before or after each step sends a digest at most twice, with the same Message-ID', async () => {
  for (const kind of ['digest', 'digestProgress'] as const)
    for (const when of ['before', 'after'] as const)
      for (const nth of [1, 2]) {
        const own = await started()
        await own.confirm()
        await own.ask('PUT', '/digest', { ...DAILY, byEmail: true })
        await own.arrive('A ferry sails')
        await own.clock.advance(3 * HOUR)
        let count = 0
        const putUserValues: typeof own.store.putUserValues = async (userId, at, ...rest) => {
          const isNow = at === kind && ++count === nth
          if (!isNow || when === 'after') await own.store.putUserValues(userId, at, ...rest)
          if (isNow) throw new Error('killed')
        }
        await own.run({ userValues: { ...own.parts.userValues, putUserValues } })
        await own.clock.advance(MINUTE)
        for (let i = 0; i < 3; i++) await own.run()
        const ids = own.server.received.map((mail) => headerOf(mail, 'message-id'))
        expect(new Set(ids).size, `${kind} ${when} ${nth}`).toBe(1)
        expect(ids.length, `${kind} ${when} ${nth}`).toBeLessThanOrEqual(2)
      }
})

test('digests are an outgoing feed with one entry each', async () => {
  const { store, userId, clock, app, ask, arrive, run } = await started()
  await ask('PUT', '/digest', DAILY)
  await arrive('A ferry sails')
  await clock.advance(3 * HOUR)
  await run()
  const feed = { userId, name: 'My digests', of: { kind: 'digest' }, text: 'full', key: 'k', addedAt: NOW } as const
  await store.addSharedItem('feedOut', feed)
  for (const format of ['rss', 'atom', 'json']) {
    const response = await app.request(`http://localhost/feeds/out/k.${format}`)
    const text = await response.text()
    expect([response.status, text.match(/14 March 2026: A ferry sails/g)?.length], text).toEqual([200, 1])
  }
})
