/** Opening a store: owners, states of the file, and errors. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../../ports/index.ts'
import { asked } from '../../ports/search-query.fixture.ts'
import { newFeed, START } from '../../ports/store-samples.contract.ts'
import { isAdditive } from '../sql/additive-migrations.ts'
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './index.ts'
import { readMigrations } from './migrate.ts'

let folder: string
let file: string
let opened: SqliteStore[]
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
  opened = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const { store } of opened) await store.close()
  rmSync(folder, { recursive: true })
})

function open(options: Partial<SqliteStoreOptions> = {}): SqliteStore {
  const one = openSqliteStore({ file, mode: 'write', now: () => START, ...options })
  opened.push(one)
  return one
}

function refusal(options: Partial<SqliteStoreOptions> = {}): StoreError {
  try {
    open(options)
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError)
    const refused = error as StoreError
    expect(refused.message).toContain(options.file ?? file)
    expect(refused.hint).toMatch(/^[A-Z].*\.$/)
    return refused
  }
  throw new Error('it was opened')
}

/** Starts a process that writes to `file` until it is killed. */
async function otherWriter(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./crash-writer.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout!, 'data')
  child.stdout!.resume()
  return child
}

describe('a store that is opened for writing', () => {
  it.runIf(process.platform !== 'win32')(
    'is accessible to its owner only, with the files beside it and the folders that it creates',
    async () => {
      const mask = process.umask(0o022)
      try {
        const inside = join(folder, 'new', 'deep')
        const { store } = open({ file: join(inside, 'store.db') })
        await store.addFeeds([newFeed('a')])
        const modes = readdirSync(inside).map((name) => [name, statSync(join(inside, name)).mode & 0o777])
        expect(Object.fromEntries(modes)).toMatchObject({
          'store.db': 0o600,
          'store.db-wal': 0o600,
          'store.db-shm': 0o600,
          'store.db.lock': 0o600,
        })
        for (const made of [inside, join(folder, 'new')]) expect(statSync(made).mode & 0o777).toBe(0o700)
      } finally {
        process.umask(mask)
      }
    },
  )

  it('reports leases of an owner that is gone, and keeps them until they are released', async () => {
    const { store } = open()
    const [added] = await store.addFeeds([newFeed('a', {}, { dueAt: START })])
    const id = added!.id
    expect((await store.leaseDue(START, 9, START + 999)).feeds).toHaveLength(1)
    await store.close()
    const { store: again } = open()
    expect(await again.leases()).toEqual([{ kind: 'feed', id, lease: expect.any(String), leasedAt: START }])
    expect((await again.leaseDue(START + 998, 9, START + 999)).feeds).toEqual([])
    await again.releaseLeases([{ kind: 'feed', id }])
    expect((await again.leaseDue(START, 9, START + 999)).feeds).toHaveLength(1)
  })

  it('is created, together with its folder, and keeps its data', async () => {
    file = join(folder, 'a', 'b', 'store.db')
    const { store } = open()
    const [answer] = await store.addFeeds([newFeed('a')])
    await store.close()
    await store.close()

    const again = open().store
    expect((await again.feedsById([answer!.id]))[0]?.feed.title).toBe('a')
    expect((await again.counts()).bytes).toBeGreaterThan(4096)
  })

  it('may be an empty file', () => {
    writeFileSync(file, '')
    open()
  })

  it('rejects calls after it was closed', async () => {
    const { store } = open()
    await store.close()
    await expect(store.counts()).rejects.toThrow(/not open/)
  })
})

describe('a file that is not a store', () => {
  it.each(['write', 'read'] as const)('is refused and left unchanged if it is not a database (%s)', (mode) => {
    for (const content of ['hello', '# A long text\n'.repeat(1000), '\0'.repeat(100)]) {
      writeFileSync(file, content)
      expect(refusal({ mode }).kind).toBe('not-a-store')
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(readdirSync(folder)).toEqual(['store.db'])
    }
  })

  it.each(['write', 'read'] as const)(
    "is refused and left unchanged if it is another program's database (%s)",
    (mode) => {
      const other = new Database(file)
      other.exec('CREATE TABLE notes (text)')
      other.close()
      const before = readFileSync(file)
      const refused = refusal({ mode })
      expect(refused.kind).toBe('not-a-store')
      expect(refused.message).toContain('another program')
      expect(readFileSync(file)).toEqual(before)
      expect(readdirSync(folder)).toEqual(['store.db'])
    },
  )

  it('works for an older version if newer ones only made additive changes', async () => {
    const added = '-- additive\nALTER TABLE feeds ADD COLUMN mood TEXT; CREATE TABLE moods (x)'
    await open({
      migrations: [...readMigrations(), added, added.replace(/feeds.*/, 'polls ADD COLUMN mood TEXT')],
    }).store.close()
    const rolledBack = open().store
    await rolledBack.addFeeds([newFeed('a')])
    await rolledBack.close()
    const { store } = open({ mode: 'read' })
    expect((await store.counts()).feeds.active).toBe(1)
    await store.close()
    const lastIncompatible = readMigrations().findLastIndex((migration) => !isAdditive(migration))
    expect(refusal({ migrations: readMigrations().slice(0, lastIncompatible) }).kind).toBe('too-new')
    await open({ migrations: [...readMigrations(), added, '', 'DROP TABLE moods'] }).store.close()
    expect(refusal().kind).toBe('too-new')
  })

  it.each(['write', 'read'] as const)('is refused if a newer version wrote it (%s)', async (mode) => {
    await open({ migrations: [...readMigrations(), 'CREATE TABLE later (x)'] }).store.close()
    const before = readFileSync(file)
    const refused = refusal({ mode })
    expect(refused.kind).toBe('too-new')
    expect(refused.hint).toContain('newest version')
    expect(readFileSync(file)).toEqual(before)
  })
})

describe('an unwritable path', () => {
  it('is named in the error if the folder cannot be created', () => {
    writeFileSync(join(folder, 'text'), 'a file, not a folder')
    file = join(folder, 'text', 'sub', 'store.db')
    expect(refusal().kind).toBe('no-access')
    if (process.platform === 'linux') expect(refusal({ file: '/proc/nowhere/store.db' }).kind).toBe('no-access')
  })

  it('is named in the error if it is a folder', () => {
    mkdirSync(file)
    for (const mode of ['write', 'read'] as const)
      expect(refusal({ mode })).toMatchObject({
        kind: 'no-access',
        message: `could not open ${file}: it is a folder`,
      })
  })

  it.skipIf(process.getuid?.() === 0)('is named in the error if folder or file are read-only', async () => {
    chmodSync(folder, 0o500)
    expect(refusal().kind).toBe('no-access')
    chmodSync(folder, 0o700)
    await open().store.close()
    chmodSync(file, 0o400)
    expect(refusal().kind).toBe('no-access')
    chmodSync(file, 0o000)
    expect(refusal({ mode: 'read' }).kind).toBe('no-access')
    chmodSync(folder, 0o000)
    expect(refusal({ mode: 'read' }).kind).toBe('no-access')
    chmodSync(folder, 0o700)
  })
})

describe('a store that is in use', () => {
  it('refuses a second writer in the same process, by any path', () => {
    open({ owner: { url: 'http://127.0.0.1:7000/' } })
    const refused = refusal()
    expect(refused.kind).toBe('in-use')
    expect(refused.message).toContain(`process ${process.pid}, since ${new Date(START).toISOString()}`)
    expect(refused.ownerUrl).toBe('http://127.0.0.1:7000/')
    symlinkSync(file, join(folder, 'alias.db'))
    expect(() => open({ file: join(folder, 'alias.db') })).toThrow(/in use/)
  })

  it('reports the URL of its owner once it was announced', () => {
    const { announce } = open()
    expect(refusal().ownerUrl).toBeUndefined()
    announce('http://127.0.0.1:8000/')
    const refused = refusal()
    expect(refused.ownerUrl).toBe('http://127.0.0.1:8000/')
    expect(refused.message).toContain('at http://127.0.0.1:8000/')
  })

  it('can be opened again after the owner has closed it', async () => {
    await open().store.close()
    await open().store.close()
    open()
  })

  it('allows readers beside another process that writes, and a writer once that process is killed', async () => {
    const child = await otherWriter()
    const refused = refusal()
    expect(refused.kind).toBe('in-use')
    expect(refused.message).toContain(`process ${child.pid}, since`)
    expect(refused.ownerUrl).toBe('http://writer.localhost/')

    const { store } = open({ mode: 'read' })
    const before = (await store.counts()).polls
    expect(before).toBeGreaterThan(0)
    await expect.poll(async () => (await store.counts()).polls, { timeout: 60_000 }).toBeGreaterThan(before)

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await open().store.counts()).polls).toBeGreaterThan(before)
  })
})

describe('a store that is opened for reading', () => {
  it('must exist', () => {
    expect(refusal({ mode: 'read' }).kind).toBe('missing')
    const deeper = join(folder, 'nowhere', 'store.db')
    expect(refusal({ mode: 'read', file: deeper }).kind).toBe('missing')
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  it('shows what the writer writes, to several readers', async () => {
    const { store, search } = open()
    const readers = [open({ mode: 'read' }), open({ mode: 'read' })]
    await store.addFeeds([newFeed('a')])
    const known = { names: [], language: 'en', category: 'uncategorized' }
    await search.put([{ id: 1 as never, feedId: 1 as never, at: 0, title: 'a word', text: '', ...known }])
    for (const reader of readers) {
      expect((await reader.store.counts()).feeds.active).toBe(1)
      expect(await reader.search.find(asked('word'), 9)).toHaveLength(1)
    }
  })

  it('cannot be written to', async () => {
    await open().store.close()
    const { store, announce } = open({ mode: 'read' })
    await expect(store.addFeeds([newFeed('a')])).rejects.toMatchObject({ kind: 'no-access' })
    await expect(store.leaseDue(START, 1, START)).rejects.toMatchObject({ kind: 'no-access' })
    expect(() => announce('http://x.localhost/')).toThrow(StoreError)
    expect((await store.counts()).feeds.active).toBe(0)
  })

  it('is not migrated, and the error says how to migrate it', async () => {
    await open().store.close()
    const before = readFileSync(file)
    const refused = refusal({ mode: 'read', migrations: [...readMigrations(), 'CREATE TABLE later (x)'] })
    expect(refused.hint).toContain('Run Freshet once')
    expect(readFileSync(file)).toEqual(before)
  })
})
