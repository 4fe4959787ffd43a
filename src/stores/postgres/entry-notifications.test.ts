/** Notifications of new entries between processes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, postgresForTests } from '../../../test/postgres-server.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { openPostgresStore, type PostgresStore } from './index.ts'

const { server, reason } = await postgresForTests()

describe.skipIf(!server)(`entry notifications${reason ? ` (${reason})` : ''}`, () => {
  let writer: PostgresStore
  let reader: PostgresStore

  beforeAll(async () => {
    const address = await (server as PostgresServer).freshStore()
    writer = await openPostgresStore({ address, mode: 'write', connections: 2 })
    reader = await openPostgresStore({ address, mode: 'read', connections: 2 })
  })

  afterAll(async () => {
    await writer?.store.close()
    await reader?.store.close()
    await server?.close()
  })

  it('reach listeners in other processes until they stop listening', async () => {
    let hear = () => {}
    const next = () =>
      new Promise<void>((resolve) => {
        hear = resolve
      })
    const ready = next()
    let calls = 0
    const stop = reader.onNewEntries(() => {
      calls++
      hear()
    })
    await ready // the connection is open
    const feedId = await addFeed(writer.store, 'f')
    const before = await reader.store.newestEntryId()
    const notified = next()
    await writer.store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    await notified
    const keys: string[] = []
    for await (const { key } of reader.store.everyEntry({ after: before })) keys.push(key)
    expect(keys).toEqual(['a'])
    stop()
    const callsBefore = calls
    await writer.store.recordPolls([record(feedId, START + 1, { fresh: [draft('b')] })])
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(calls).toBe(callsBefore)
  })
})
