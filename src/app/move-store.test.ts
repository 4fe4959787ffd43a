/** A store is carried over whole, or it is said what is missing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../test/postgres-server.ts'
import type { Ferry } from '../ports/index.ts'
import { addFeed, draft, record, START } from '../ports/store-samples.contract.ts'
import { openSqliteStore } from '../stores/index.ts'
import { type MoveProgress, moveStore, openFerry } from './move-store.ts'

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

async function carried(from: string, to: string, signal = never, wrapped = (ferry: Ferry) => ferry) {
  const told: MoveProgress[] = []
  const [one, other] = [await openFerry(from, 'from', now), await openFerry(to, 'to', now)]
  try {
    return { ...(await moveStore(wrapped(one), other, { signal, onProgress: (one) => told.push(one) })), told }
  } finally {
    await one.close()
    await other.close()
  }
}

describe('moving a store', () => {
  it('tells how far it is, and ends with all of it', async () => {
    const from = await filledFile()
    const { done, rows, of, kinds, told } = await carried(from, newFile())
    expect([done, rows]).toEqual([true, of])
    expect(kinds).toContainEqual({ kind: 'entries', rows: 450 })
    expect(told.filter(({ doing }) => doing === 'carried').at(-1)).toEqual({ doing: 'carried', rows: of, of })
    expect(told.at(-1)).toEqual({ doing: 'compared', rows: of, of })
  })

  it('goes on where it was interrupted, at whichever bite, and brings nothing twice', async () => {
    const [from, to] = [await filledFile(), newFile()]
    let isDone = false
    for (let rounds = 0; !isDone; rounds++) {
      const ending = new AbortController()
      let bites = 0
      const stopping = (ferry: Ferry): Ferry => ({
        ...ferry,
        unload(...asked) {
          if (++bites === 5) ending.abort()
          return ferry.unload(...asked)
        },
      })
      isDone = (await carried(from, to, rounds < 12 ? ending.signal : never, stopping)).done
      expect(rounds).toBeLessThan(13)
    }
    const { store } = openSqliteStore({ file: to, mode: 'write', now })
    expect((await store.counts()).entries).toBe(450)
    await store.close()
  })

  it('does not finish what is not the same', async () => {
    const [from, to] = [await filledFile(), newFile()]
    let left = 1
    const lying = (ferry: Ferry): Ferry => ({
      ...ferry,
      async unload(kind, ...asked) {
        const bite = await ferry.unload(kind, ...asked)
        if (kind !== 'entries' || left-- !== 1) return bite
        return { ...bite, rows: bite.rows.map((row, i) => (i === 7 ? row.with(-2, 'another text') : row)) as never }
      },
    })
    await expect(carried(from, to, never, lying)).rejects.toThrow('in what the 450 rows of entries hold')
    expect(() => openSqliteStore({ file: to, mode: 'write', now })).toThrow('half filled')
    left = 0
    await expect(carried(from, to, never, lying)).rejects.toThrow('differs')
  })

  it('wants a store that is there, and an empty one', async () => {
    const from = await filledFile()
    await expect(openFerry(newFile(), 'from', now)).rejects.toMatchObject({ trouble: 'missing' })
    await expect(carried(from, await filledFile())).rejects.toThrow('it holds something already')
    const { store } = openSqliteStore({ file: from, mode: 'write', now })
    await expect(openFerry(from, 'from', now)).rejects.toMatchObject({ trouble: 'in-use' })
    await store.close()
  })

  it.skipIf(!server)(`goes into a database and back${reason ? ` (${reason})` : ''}`, async () => {
    const [from, back] = [await filledFile(), newFile()]
    const address = await server!.freshDatabase()
    await expect(openFerry(await server!.freshDatabase(), 'from', now)).rejects.toMatchObject({ trouble: 'missing' })
    expect(await carried(from, address)).toMatchObject({ done: true })
    expect(await carried(address, back)).toMatchObject({ done: true })
    expect(await carried(back, await server!.freshDatabase())).toMatchObject({ done: true })
  })
})
