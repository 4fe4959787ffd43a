/** Entries that are sent to destinations: tries, backoff, and what a crash leaves. */
import { describe, expect, test } from 'vitest'
import { createServerFixture } from '../../test/server-fixture.ts'
import { createSendEntry, forgetSend, loadSends, queueSend, saveDestination, sendKey } from '../destinations/index.ts'
import { type EntryId, HOUR, MINUTE, SECOND, type SendAttempt, type UserId } from '../model/index.ts'
import { type NetPost, rolesOf } from '../ports/index.ts'
import { createMemorySearch } from '../search/index.ts'
import { createSendRunner, MAX_TRIES } from './deliver-sends.ts'

async function started() {
  const { store, clock, addFeed } = createServerFixture()
  const userId = await store.firstUser()
  const parts = { ...rolesOf(store), search: createMemorySearch(), clock, random: () => 0.5 }
  await addFeed({
    url: 'https://harbor.example/feed',
    title: 'Harbor',
    entries: ['Tide', 'Fog', 'Ferry'].map((title, i) => ({
      title,
      agoMs: HOUR * (i + 1),
      url: `https://harbor.example/${i}`,
    })),
  })
  const entries = (await store.listEntries({ limit: 9 })).entries
  const idOf = (title: string) => entries.find((entry) => entry.title === title)!.id
  for (const id of ['a', 'b'])
    await saveDestination(
      store,
      userId,
      {
        id,
        name: id,
        preset: 'linkding',
        fields: { address: `https://${id}.example` },
        secrets: { token: 't' },
        addedAt: 0,
      },
      0,
    )
  const sent: string[] = []
  const statuses: (number | 'broken')[] = []
  const net = {
    get: () => Promise.reject(new Error('nothing is fetched')),
    async post({ url, ...request }: NetPost) {
      const { title } = JSON.parse('document' in request ? request.document.text : '{}') as { title: string }
      sent.push(`${new URL(url).host} ${title}`)
      const status = statuses.shift() ?? 201
      if (status === 'broken') return { ok: false as const, failure: { kind: 'timeout' as const } }
      const empty = { redirects: [], headers: {}, body: new Uint8Array(), wireBytes: 0 }
      return { ok: true as const, status, url: url as never, ...empty }
    },
    close: async () => {},
  }
  const runner = (changes: Partial<Parameters<typeof createSendRunner>[0]> = {}) =>
    createSendRunner({
      ...parts,
      sendEntry: createSendEntry({ net, now: clock.now }),
      onInternalError: (error) => {
        throw error
      },
      ...changes,
    })
  const queue = (title: string, destinationId = 'a', rest = {}) =>
    queueSend(store, { userId, destinationId, entryId: idOf(title), now: clock.now(), ...rest })
  const sends = async () =>
    (await loadSends(store, userId)).map(({ state, failures, last }) => ({ state, failures, last }))
  return { store, clock, userId, addFeed, idOf, sent, statuses, runner, queue, sends }
}

describe('an entry', () => {
  test('is sent once, and queued once while it waits', async () => {
    const { queue, runner, sent, sends } = await started()
    const [first, second] = [await queue('Tide'), await queue('Tide')]
    expect(second).toEqual(first)
    await runner().runOnce()
    await runner().runOnce()
    expect(sent).toEqual(['a.example Tide'])
    expect(await sends()).toMatchObject([{ state: 'sent', failures: 0, last: { status: 201 } }])
    await queue('Tide', 'a', { isOnce: true })
    await runner().runOnce()
    expect(sent).toHaveLength(1)
    await queue('Tide')
    await runner().runOnce()
    expect(sent).toHaveLength(2)
    expect(await sends()).toHaveLength(1)
  })

  test('is retried with backoff, at most eight times, and can be queued again', async () => {
    const { queue, runner, sent, sends, statuses, clock } = await started()
    await queue('Tide')
    for (let i = 0; i < MAX_TRIES; i++) statuses.push(i % 2 ? 503 : 'broken')
    for (let i = 0; i < MAX_TRIES; i++) {
      await runner().runOnce()
      expect(sent).toHaveLength(i + 1)
      await runner().runOnce() // not due yet
      await clock.advance(12 * HOUR)
    }
    expect(sent).toHaveLength(MAX_TRIES)
    expect(await sends()).toMatchObject([
      { state: 'failed', failures: MAX_TRIES, last: { status: 503, trouble: expect.stringContaining('503') } },
    ])
    await queue('Tide')
    await runner().runOnce()
    expect(await sends()).toMatchObject([{ state: 'sent' }])
  })

  test('fails at once if the service rejects it, and does not delay others', async () => {
    const { queue, runner, sends, statuses, sent } = await started()
    await queue('Tide')
    await queue('Fog')
    statuses.push(401)
    await runner().runOnce()
    expect(sent).toHaveLength(2)
    expect((await sends()).map(({ state }) => state).sort()).toEqual(['failed', 'sent'])
  })

  test('waits while its destination fails, and other destinations go on', async () => {
    const { queue, runner, sent, statuses, clock } = await started()
    await queue('Tide')
    await clock.advance(1)
    await queue('Fog')
    await runner({ sendEntry: async () => ({ at: 0, trouble: 'down' }) }).runOnce()
    expect(sent).toEqual([])
    await queue('Ferry', 'b')
    await runner().runOnce()
    expect(sent).toEqual(['b.example Ferry'])
    statuses.push(500)
    await clock.advance(6 * SECOND)
    await runner().runOnce()
    expect(sent.slice(1)).toEqual(['a.example Tide'])
    await clock.advance(2 * MINUTE)
    await runner().runOnce()
    expect(sent.slice(2)).toEqual(['a.example Tide', 'a.example Fog'])
  })

  test('waits as long as the service asks', async () => {
    const { queue, runner, sent, clock } = await started()
    await queue('Tide')
    await runner({ sendEntry: async () => ({ at: 0, trouble: 'too many', retryAfterMs: HOUR }) }).runOnce()
    await clock.advance(HOUR - 1)
    await runner().runOnce()
    expect(sent).toEqual([])
    await clock.advance(2)
    await runner().runOnce()
    expect(sent).toEqual(['a.example Tide'])
  })

  test('is sent after a crash between two tries, under the same id', async () => {
    const { queue, runner, sends, clock } = await started()
    await queue('Tide')
    const ids: string[] = []
    const failing = async ({ sendId }: { sendId: string }): Promise<SendAttempt> => {
      ids.push(sendId)
      return { at: 0, trouble: 'down' }
    }
    await runner({ sendEntry: failing }).runOnce()
    await clock.advance(MINUTE)
    // Killed during the second try: nothing of it is stored.
    const killed = new AbortController()
    await runner({
      sendEntry: async (sent) => {
        killed.abort()
        return failing(sent)
      },
    }).runOnce(killed.signal)
    expect(await sends()).toMatchObject([{ state: 'waiting', failures: 1 }])
    await runner({ sendEntry: async ({ sendId }) => ({ at: ids.push(sendId), status: 200 }) }).runOnce()
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(3)
    expect(await sends()).toMatchObject([{ state: 'sent', failures: 1 }])
  })

  test('is not sent after it was removed from the queue, by another process, or to a removed destination', async () => {
    const { store, userId, queue, runner, sent, sends, idOf, clock } = await started()
    await queue('Tide')
    await runner({ isStillOwner: () => false }).runOnce()
    await runner({
      sendEntry: async () => {
        await forgetSend(store, userId, sendKey({ entryId: idOf('Tide'), destinationId: 'a' }), clock.now())
        return { at: 0, trouble: 'down' }
      },
    }).runOnce()
    expect(await sends()).toEqual([])
    await queue('Fog', 'removed')
    await store.forgetEntriesById([idOf('Ferry')])
    await queueSend(store, { userId, destinationId: 'a', entryId: idOf('Ferry'), now: clock.now() })
    await runner().runOnce()
    expect((await sends()).map(({ last }) => last?.trouble).sort()).toEqual([
      'the destination was removed',
      'the entry is gone',
    ])
    expect(sent).toEqual([])
  })

  test('does not tell the secret address of its feed', async () => {
    const { store, userId, runner, clock, addFeed } = await started()
    const key = 'k3y9'.repeat(8)
    await addFeed({
      url: `https://paid.example/feed?token=${key}`,
      title: '',
      entries: [{ title: 'Paid', agoMs: HOUR }],
    })
    const [{ id: entryId } = { id: 0 as EntryId }] = await store.entries({ limit: 1 })
    await queueSend(store, { userId, destinationId: 'a', entryId, now: clock.now() })
    const titles: (string | undefined)[] = []
    await runner({ sendEntry: async ({ entry }) => ({ at: titles.push(entry.title, entry.feedTitle) }) }).runOnce()
    expect(titles).toEqual(['Paid', 'https://paid.example/feed?token=***'])
  })

  test('of a feed that the user does not see is not sent', async () => {
    const { store, runner, sent, idOf, clock } = await started()
    await store.addUser({ name: 'ada', scope: 'admin', addedAt: 0, password: 'x' })
    const bob = (await store.addUser({ name: 'bob', scope: 'write', addedAt: 0, password: 'x' })) as UserId
    const destination = { id: 'c', name: 'c', preset: 'linkding', fields: { address: 'https://c.example' }, addedAt: 0 }
    await saveDestination(store, bob, { ...destination, secrets: { token: 't' } }, 0)
    await queueSend(store, { userId: bob, destinationId: 'c', entryId: idOf('Tide'), now: clock.now() })
    await runner().runOnce()
    expect(sent).toEqual([])
    expect(await loadSends(store, bob)).toMatchObject([{ state: 'failed', last: { trouble: 'the entry is gone' } }])
  })
})

test('at most 500 entries of a user wait', async () => {
  const { store, clock, userId } = await started()
  const queue = (id: number) =>
    queueSend(store, { userId, destinationId: 'a', entryId: id as EntryId, now: clock.now() })
  for (let id = 1; id <= 500; id++) await queue(id)
  expect(await queue(501)).toBe('too-many')
  expect(await queue(500)).toMatchObject({ state: 'waiting' })
})

test('a runner sends what is queued while it runs', async () => {
  const { queue, runner, sent } = await started()
  const ended = new AbortController()
  const running = runner()
  const done = running.run(ended.signal)
  await queue('Tide')
  running.wake()
  await expect.poll(() => sent).toEqual(['a.example Tide'])
  ended.abort()
  await done
})
