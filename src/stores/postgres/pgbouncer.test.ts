/**
 * Behind a pgbouncer in transaction mode, each transaction may use another server connection, of which there are fewer than pool
 * connections. The contracts about leases, races, owners and the market hold, and listeners poll for new entries.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PGBOUNCER_BINARY, type Pgbouncer, startPgbouncer } from '../../../test/pgbouncer.ts'
import { type PostgresServer, postgresForTests } from '../../../test/postgres-server.ts'
import type { Store } from '../../ports/index.ts'
import { leadershipPromises, standbyPromises } from '../../ports/leadership.contract.ts'
import { ownershipPromises, sharedOwnershipPromises } from '../../ports/ownership.contract.ts'
import { duePromises } from '../../ports/store-due.contract.ts'
import { marketPromises } from '../../ports/store-market.contract.ts'
import type { Promised } from '../../ports/store-promise.contract.ts'
import { racePromises } from '../../ports/store-races.contract.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { openPostgresStore, type PostgresStore } from './index.ts'

const given = process.env.FRESHET_TEST_POSTGRES
const { server, reason } =
  PGBOUNCER_BINARY && !given
    ? await postgresForTests()
    : { reason: given ? 'the server is not ours' : 'there is no pgbouncer on this machine' }

describe.skipIf(!server)(`behind a pgbouncer${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let bouncer: Pgbouncer
  let direct: string
  let one: PostgresStore
  let other: PostgresStore

  beforeAll(async () => {
    direct = await (server as PostgresServer).freshStore()
    bouncer = await startPgbouncer(direct, 3)
    const open = () => openPostgresStore({ address: bouncer.through(direct), mode: 'write', connections: 4 })
    ;[one, other] = [await open(), await open()]
  })

  afterAll(async () => {
    for (const { store } of [one, other]) await store?.close()
    await bouncer?.close()
    await server?.close()
  })

  const promised: Promised = (sentence, hold) =>
    it(sentence, async () => {
      await server!.empty(direct)
      await hold(one.store, other.store)
    })

  describe('single owner', () => ownershipPromises(promised))
  describe('several owners', () => sharedOwnershipPromises(promised))
  describe('leadership', () => leadershipPromises(promised))
  describe('who stands by', () => standbyPromises(promised))
  describe('due items', () => duePromises(promised))
  describe('the market', () => marketPromises(promised))
  describe('concurrent callers', () => racePromises(promised))

  it('lets several processes migrate a database at once', async () => {
    const address = bouncer.through(await server!.freshDatabase())
    const open = async () => (await openPostgresStore({ address, mode: 'write', connections: 2 })).store
    const stores: Store[] = await Promise.all([open(), open(), open()])
    expect((await stores[2]!.counts()).entries).toBe(0)
    for (const store of stores) await store.close()
  })

  it('polls for new entries, because notifications do not arrive', { timeout: 60_000 }, async () => {
    await server!.empty(direct)
    const feedId = await addFeed(one.store, 'f')
    const before = await other.store.newestEntryId()
    let stop = () => {}
    const found = new Promise<string[]>((resolve) => {
      stop = other.onNewEntries(async () => {
        const keys: string[] = []
        for await (const { key } of other.store.everyEntry({ after: before })) keys.push(key)
        if (keys.length > 0) resolve(keys)
      })
    })
    await one.store.recordPolls([record(feedId, START, { fresh: [draft('a')] })])
    expect(await found).toEqual(['a'])
    stop()
  })
})
