/** Store migration copies everything, or fails with what differs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../test/postgres-server.ts'
import type { StoreMigration } from '../ports/index.ts'
import { addFeed, draft, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import { copyStore, type MigrationProgress, openMigration } from './migrate-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
const { server, reason } = await postgresForTests()
const never = new AbortController().signal
const now = () => START
let files = 0

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

const newFile = () => join(folder, `${files++}.db`)

async function filledFile(): Promise<string> {
  const file = newFile()
  const { store } = openSqliteStore({ file, mode: 'write', now })
  const feedId = await addFeed(store, 'f')
  const fresh = Array.from({ length: 450 }, (_, i) => draft(`e${i}`, { content: `text ${i}` }))
  await store.recordPolls([record(feedId, START, { fresh })])
  await store.close()
  return file
}

async function migrated(from: string, to: string, signal = never, wrapped = (migration: StoreMigration) => migration) {
  const progress: MigrationProgress[] = []
  const [one, other] = [await openMigration(from, 'from', now), await openMigration(to, 'to', now)]
  try {
    return {
      ...(await copyStore(wrapped(one), other, { signal, onProgress: (one) => progress.push(one) })),
      progress,
    }
  } finally {
    await one.close()
    await other.close()
  }
}

describe('copying a store', () => {
  it('reports progress, and copies everything', async () => {
    const from = await filledFile()
    const { done, rows, of, kinds, progress } = await migrated(from, newFile())
    expect([done, rows]).toEqual([true, of])
    expect(kinds).toContainEqual({ kind: 'entries', rows: 450 })
    expect(progress.filter(({ doing }) => doing === 'copying').at(-1)).toEqual({ doing: 'copying', rows: of, of })
    expect(progress.at(-1)).toEqual({ doing: 'comparing', rows: of, of })
  })

  it('continues after an interruption at any chunk, without duplicates', async () => {
    const [from, to] = [await filledFile(), newFile()]
    let isDone = false
    for (let rounds = 0; !isDone; rounds++) {
      const ending = new AbortController()
      let chunks = 0
      const stopping = (migration: StoreMigration): StoreMigration => ({
        ...migration,
        readRows(...args) {
          if (++chunks === 5) ending.abort()
          return migration.readRows(...args)
        },
      })
      isDone = (await migrated(from, to, rounds < 12 ? ending.signal : never, stopping)).done
      expect(rounds).toBeLessThan(13)
    }
    const { store } = openSqliteStore({ file: to, mode: 'write', now })
    expect((await store.counts()).entries).toBe(450)
    await store.close()
  })

  it('fails if source and target differ', async () => {
    const [from, to] = [await filledFile(), newFile()]
    let left = 1
    const lying = (migration: StoreMigration): StoreMigration => ({
      ...migration,
      async readRows(kind, ...args) {
        const chunk = await migration.readRows(kind, ...args)
        if (kind !== 'entries' || left-- !== 1) return chunk
        return { ...chunk, rows: chunk.rows.map((row, i) => (i === 7 ? row.with(-2, 'another text') : row)) as never }
      },
    })
    await expect(migrated(from, to, never, lying)).rejects.toThrow('in the values of the 450 rows of entries')
    expect(() => openSqliteStore({ file: to, mode: 'write', now })).toThrow('is unfinished')
    left = 0
    await expect(migrated(from, to, never, lying)).rejects.toThrow('differs')
  })

  it('requires an existing source and an empty target', async () => {
    const from = await filledFile()
    await expect(openMigration(newFile(), 'from', now)).rejects.toMatchObject({ kind: 'missing' })
    await expect(migrated(from, await filledFile())).rejects.toThrow('the store is not empty')
    const { store } = openSqliteStore({ file: from, mode: 'write', now })
    await expect(openMigration(from, 'from', now)).rejects.toMatchObject({ kind: 'in-use' })
    await store.close()
  })

  it.skipIf(!server)(`goes into a database and back${reason ? ` (${reason})` : ''}`, async () => {
    const [from, back] = [await filledFile(), newFile()]
    const address = await server!.freshDatabase()
    await expect(openMigration(await server!.freshDatabase(), 'from', now)).rejects.toMatchObject({ kind: 'missing' })
    expect(await migrated(from, address)).toMatchObject({ done: true })
    expect(await migrated(address, back)).toMatchObject({ done: true })
    expect(await migrated(back, await server!.freshDatabase())).toMatchObject({ done: true })
  })
})
