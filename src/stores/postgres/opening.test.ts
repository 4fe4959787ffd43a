/** Opening a store in PostgreSQL, and crashes of the server during writes. */
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { StoreError } from '../../ports/index.ts'
import { newFeed } from '../../ports/store-samples.contract.ts'
import { isAdditive } from '../sql/additive-migrations.ts'
import { openPostgresStore } from './index.ts'
import { postgresMigrations } from './migrate.ts'

const { server, reason } = await postgresForTests({ synchronous_commit: 'on' })
afterAll(() => server?.close())

async function run(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(sql)
  await client.end()
}

async function troubleOf(work: Promise<unknown>): Promise<StoreError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(StoreError)
  return error as StoreError
}

describe('without a server', () => {
  it('throws a transient error without the password', async () => {
    const error = await troubleOf(
      openPostgresStore({ address: 'postgres://ada:s3cret@127.0.0.1:1/news', mode: 'write' }),
    )
    expect([error.kind, error.isTransient]).toEqual(['no-access', true])
    expect(`${error.message} ${error.hint}`).not.toContain('s3cret')
    expect(error.message).toContain('127.0.0.1:1/news')
  })

  it('rejects an invalid address without quoting it', async () => {
    const error = await troubleOf(openPostgresStore({ address: 'postgres://ada:s3cret@:x', mode: 'write' }))
    expect(error.message).not.toContain('s3cret')
  })
})

describe.skipIf(!server)(`opening a database${reason ? ` (${reason})` : ''}`, () => {
  it('works for several processes at once, and migrates it once', async () => {
    const address = await server!.freshDatabase()
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresStore({ address, mode: 'write' })))
    const [one, other] = opened.map(({ store }) => store)
    await one!.addFeeds([newFeed('a')])
    expect(await other!.feeds({ order: 'id', limit: 9 })).toHaveLength(1)
    for (const { store } of opened) await store.close()
  })

  it('for reading changes nothing, and reports a missing store', async () => {
    const address = await server!.freshDatabase()
    const error = await troubleOf(openPostgresStore({ address, mode: 'read' }))
    expect(error.kind).toBe('missing')
    expect((await troubleOf(openPostgresStore({ address, mode: 'read' }))).kind).toBe('missing')
  })

  it('of another program or of a newer version is refused, and leaves it unchanged', async () => {
    const foreign = await server!.freshDatabase()
    await run(foreign, 'CREATE TABLE invoices (id integer)')
    expect((await troubleOf(openPostgresStore({ address: foreign, mode: 'write' }))).kind).toBe('not-a-store')
    const newer = await server!.freshStore()
    await run(newer, 'INSERT INTO freshet_shape (shape) VALUES (99)')
    const error = await troubleOf(openPostgresStore({ address: newer, mode: 'write' }))
    expect(error.kind).toBe('too-new')
    expect(error.message).toContain('99')
  })

  it('works for an older version if newer ones only made additive changes', async () => {
    const address = await server!.freshStore()
    const added = '-- additive\nALTER TABLE feeds ADD COLUMN mood text; CREATE TABLE moods (x integer)'
    const migrations = [...postgresMigrations(), added, '-- additive\nALTER TABLE polls ADD COLUMN mood text']
    await (await openPostgresStore({ address, mode: 'write', migrations })).store.close()
    const { store } = await openPostgresStore({ address, mode: 'write' })
    await store.addFeeds([newFeed('a')])
    await store.close()
    const reader = await openPostgresStore({ address, mode: 'read' })
    expect((await reader.store.counts()).feeds.active).toBe(1)
    await reader.store.close()
    const own = postgresMigrations()
    const lastIncompatible = own.findLastIndex((migration) => !isAdditive(migration))
    const older = own.slice(0, lastIncompatible)
    expect((await troubleOf(openPostgresStore({ address, mode: 'write', migrations: older }))).kind).toBe('too-new')
    const broken = [...migrations, 'DROP TABLE moods']
    await (await openPostgresStore({ address, mode: 'write', migrations: broken })).store.close()
    expect((await troubleOf(openPostgresStore({ address, mode: 'write' }))).kind).toBe('too-new')
  })

  it('fails at once if the database or the user does not exist', async () => {
    const address = await server!.freshDatabase()
    const missing = await troubleOf(openPostgresStore({ address: `${address}_not`, mode: 'write' }))
    expect([missing.kind, missing.isTransient]).toEqual(['missing', false])
    const stranger = new URL(address)
    stranger.username = 'nobody-knows'
    const denied = await troubleOf(openPostgresStore({ address: stranger.href, mode: 'write' }))
    expect([denied.kind, denied.isTransient]).toEqual(['no-access', false])
  })

  it('retries a login that was accepted before, for a limited time', async () => {
    const address = new URL(await server!.freshStore())
    const admin = address.href
    await run(admin, 'DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN SUPERUSER')
    address.username = 'guest'
    const { store } = await openPostgresStore({ address: address.href, mode: 'write', loginRetryMs: 300 })
    const refuse = async () => {
      await run(admin, 'ALTER ROLE guest NOLOGIN')
      await run(admin, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guest'")
    }
    await refuse()
    expect((await troubleOf(store.counts())).isTransient).toBe(true)
    await run(admin, 'ALTER ROLE guest LOGIN')
    expect((await store.counts()).feeds.active).toBe(0)
    await refuse()
    expect((await troubleOf(store.counts())).isTransient).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await troubleOf(store.counts())).isTransient).toBe(false)
    await store.close()
  })

  it('leaves the schema unchanged if a migration fails', async () => {
    const address = await server!.freshStore()
    const migrations = [...postgresMigrations(), 'CREATE TABLE half (id integer); SELECT 1 / 0']
    await expect(openPostgresStore({ address, mode: 'write', migrations })).rejects.toThrow(/left unchanged/)
    const { store } = await openPostgresStore({ address, mode: 'write' })
    await store.close()
    await run(address, 'CREATE TABLE half (id integer)') // it is not there
  })
})

describe.skipIf(!server || process.env.FRESHET_TEST_POSTGRES)(
  `a server that is killed${reason ? ` (${reason})` : ''}`,
  () => {
    it('causes a delay, but loses no acknowledged write and does nothing twice', { timeout: 120_000 }, async () => {
      const { store } = await openPostgresStore({ address: await server!.freshStore(), mode: 'write' })
      const added: string[] = []
      let isOver = false

      /** Retries transient errors, like users of a store. No one else adds these feeds, so the call that is answered adds each of them. */
      async function addAll(writer: number): Promise<void> {
        for (let n = 0; !isOver; n++) {
          const name = `w${writer}n${n}`
          for (let isDone = false; !isDone; ) {
            try {
              const [answer] = await store.addFeeds([newFeed(name)])
              expect(answer!.added).toBe(true)
              isDone = true
            } catch (error) {
              if (!(error instanceof StoreError && error.isTransient)) throw error
              await new Promise((resolve) => setTimeout(resolve, 50))
            }
          }
          added.push(`${name}.example`)
        }
      }

      const writers = [0, 1, 2, 3].map(addAll)
      for (let round = 0; round < 3; round++) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        await server!.halt('SIGKILL')
        await server!.begin()
      }
      isOver = true
      await Promise.all(writers)
      const found: string[] = []
      for await (const { feed } of store.everyFeed()) found.push(feed.root)
      expect(found.sort()).toEqual(added.sort())
      const { feeds } = await store.counts()
      expect(feeds.active).toBe(added.length)
      await store.close()
    })
  },
)
