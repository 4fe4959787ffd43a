/** The key file beside a store: created once, readable by its owner only, and required from then on. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { feedToAdd } from '../crawl/index.ts'
import { address } from '../model/address.fixture.ts'
import type { Store } from '../ports/index.ts'
import { openSqliteStore } from '../stores/index.ts'
import { openStoreAt } from './store-at.ts'

const LOGIN = { user: 'ada', password: 's3cretw0rd' }
const opening = { mode: 'write' as const, now: () => 1, encryptExisting: true }
let folder = ''
const place = () => ({ store: join(folder, 'a.db'), contentStore: '', secretKeyFile: '', forgetSecrets: false })
const keyFile = () => `${place().store}.secret-key`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function addPrivateFeed(store: Store): Promise<void> {
  const { feed, schedule } = feedToAdd({ url: address('https://a.example/'), title: '' }, 'tide', 1)
  await store.addFeeds([{ feed: { ...feed, credentials: LOGIN }, schedule }])
}

async function loginIn(settings: Partial<ReturnType<typeof place>>, mode: 'write' | 'read' = 'write') {
  const { store } = await openStoreAt({ ...place(), ...settings }, { ...opening, mode })
  const [scheduled] = await store.feeds({ order: 'id', limit: 1 })
  await store.close()
  return scheduled?.feed.credentials
}

describe('the key of a store', () => {
  it('is created readable by its owner only, and decrypts what it encrypted', async () => {
    const { store } = await openStoreAt(place(), opening)
    await addPrivateFeed(store)
    await store.close()
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    expect(readFileSync(place().store).includes(LOGIN.password)).toBe(false)
    expect(await loginIn({})).toEqual(LOGIN)
    expect(await loginIn({}, 'read')).toEqual(LOGIN)
  })

  it('encrypts what an earlier version stored in plain text', async () => {
    const { store } = await openSqliteStore({ file: place().store, ...opening })
    await addPrivateFeed(store)
    await store.close()
    expect(await loginIn({})).toEqual(LOGIN)
    const { store: below } = await openSqliteStore({ file: place().store, ...opening, mode: 'read' })
    expect(JSON.stringify(await below.feeds({ order: 'id', limit: 1 }))).not.toContain(LOGIN.password)
    await below.close()
    expect(readFileSync(keyFile(), 'utf8')).toMatch(/\nall-encrypted 2\n$/)
  })

  it('encrypts secrets that were added to the set later', async () => {
    const { store } = await openSqliteStore({ file: place().store, ...opening })
    const { feed, schedule } = feedToAdd({ url: address('https://a.example/'), title: '' }, 'tide', 1)
    const [{ id } = { id: 0 as never }] = await store.addFeeds([{ feed, schedule }])
    const push = { hub: feed.url, topic: feed.url, state: 'active', dueAt: 1, failures: 0, pushes: 0 } as const
    await store.recordHubSubscriptions([{ ...push, token: 't', feedId: id, secret: 'of-the-hub' }])
    await store.close()
    writeFileSync(keyFile(), `${Buffer.alloc(32, 1).toString('base64')}\nall-encrypted\n`)
    const { store: opened } = await openStoreAt(place(), opening)
    expect(await opened.hubSubscriptionByToken('t')).toMatchObject({ secret: 'of-the-hub' })
    await opened.close()
    const { store: below } = await openSqliteStore({ file: place().store, ...opening, mode: 'read' })
    expect((await below.hubSubscriptionByToken('t'))?.secret).toMatch(/^sealed:/)
    await below.close()
  })

  it('is required: the store is refused without it, unless --forget-secrets drops the secrets', async () => {
    const { store } = await openStoreAt(place(), opening)
    await addPrivateFeed(store)
    await store.close()
    const keyBytes = readFileSync(keyFile())
    rmSync(keyFile())
    await expect(loginIn({})).rejects.toThrow('encrypted with another key')
    writeFileSync(join(folder, 'backup'), keyBytes)
    expect(await loginIn({ secretKeyFile: join(folder, 'backup') })).toEqual(LOGIN)
    expect(await loginIn({ forgetSecrets: true })).toBeUndefined()
  })

  it('is rejected with a hint if the file is missing or is no key', async () => {
    await expect(loginIn({ secretKeyFile: join(folder, 'none') })).rejects.toThrow('does not exist')
    writeFileSync(join(folder, 'short'), 'c2hvcnQ=\n')
    await expect(loginIn({ secretKeyFile: join(folder, 'short') })).rejects.toThrow('is not a key')
  })
})
