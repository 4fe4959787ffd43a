/** Opening a store in PostgreSQL, and what happens when the server goes while it is written to. */
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import { StoreError } from '../../ports/index.ts'
import { newFeed } from '../../ports/store-samples.contract.ts'
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
  it('says so without the password, and that it may pass', async () => {
    const error = await troubleOf(
      openPostgresStore({ address: 'postgres://ada:s3cret@127.0.0.1:1/news', mode: 'write' }),
    )
    expect([error.trouble, error.isPassing]).toEqual(['no-access', true])
    expect(`${error.message} ${error.hint}`).not.toContain('s3cret')
    expect(error.message).toContain('127.0.0.1:1/news')
  })

  it('refuses an address that is none, without a word of it', async () => {
    const error = await troubleOf(openPostgresStore({ address: 'postgres://ada:s3cret@:x', mode: 'write' }))
    expect(error.message).not.toContain('s3cret')
  })
})

describe.skipIf(!server)(`opening a database${reason ? ` (${reason})` : ''}`, () => {
  it('is done by several at once, and its shape is made once', async () => {
    const address = await server!.freshDatabase()
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresStore({ address, mode: 'write' })))
    const [one, other] = opened.map(({ store }) => store)
    await one!.addFeeds([newFeed('a')])
    expect(await other!.feeds({ order: 'id', limit: 9 })).toHaveLength(1)
    for (const { store } of opened) await store.close()
  })

  it('for reading changes nothing, and says what is missing', async () => {
    const address = await server!.freshDatabase()
    const error = await troubleOf(openPostgresStore({ address, mode: 'read' }))
    expect(error.trouble).toBe('missing')
    expect((await troubleOf(openPostgresStore({ address, mode: 'read' }))).trouble).toBe('missing')
  })

  it('of another program, or of a newer version of ours, is refused, and left as it is', async () => {
    const foreign = await server!.freshDatabase()
    await run(foreign, 'CREATE TABLE invoices (id integer)')
    expect((await troubleOf(openPostgresStore({ address: foreign, mode: 'write' }))).trouble).toBe('not-a-store')
    const newer = await server!.freshStore()
    await run(newer, 'INSERT INTO freshet_shape (shape) VALUES (99)')
    const error = await troubleOf(openPostgresStore({ address: newer, mode: 'write' }))
    expect(error.trouble).toBe('too-new')
    expect(error.message).toContain('99')
  })

  it('is used by an older version as long as newer ones have only added to it', async () => {
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
    const older = postgresMigrations().slice(0, -1)
    expect((await troubleOf(openPostgresStore({ address, mode: 'write', migrations: older }))).trouble).toBe('too-new')
    const broken = [...migrations, 'DROP TABLE moods']
    await (await openPostgresStore({ address, mode: 'write', migrations: broken })).store.close()
    expect((await troubleOf(openPostgresStore({ address, mode: 'write' }))).trouble).toBe('too-new')
  })

  it('that does not exist, or whose user is unknown, is not waited for', async () => {
    const address = await server!.freshDatabase()
    const missing = await troubleOf(openPostgresStore({ address: `${address}_not`, mode: 'write' }))
    expect([missing.trouble, missing.isPassing]).toEqual(['missing', false])
    const stranger = new URL(address)
    stranger.username = 'nobody-knows'
    const denied = await troubleOf(openPostgresStore({ address: stranger.href, mode: 'write' }))
    expect([denied.trouble, denied.isPassing]).toEqual(['no-access', false])
  })

  it('waits for a login that was accepted before and is refused for a while, and no longer than that', async () => {
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
    expect((await troubleOf(store.counts())).isPassing).toBe(true)
    await run(admin, 'ALTER ROLE guest LOGIN')
    expect((await store.counts()).feeds.active).toBe(0)
    await refuse()
    expect((await troubleOf(store.counts())).isPassing).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await troubleOf(store.counts())).isPassing).toBe(false)
    await store.close()
  })

  it('whose migration fails leaves it in the shape that it had', async () => {
    const address = await server!.freshStore()
    const migrations = [...postgresMigrations(), 'CREATE TABLE half (id integer); SELECT 1 / 0']
    await expect(openPostgresStore({ address, mode: 'write', migrations })).rejects.toThrow(/left as it is/)
    const { store } = await openPostgresStore({ address, mode: 'write' })
    await store.close()
    await run(address, 'CREATE TABLE half (id integer)') // it is not there
  })
})

describe.skipIf(!server || process.env.FRESHET_TEST_POSTGRES)(
  `a server that is killed${reason ? ` (${reason})` : ''}`,
  () => {
    it('costs a delay: what was acknowledged is there, and nothing was done twice', { timeout: 120_000 }, async () => {
      const { store } = await openPostgresStore({ address: await server!.freshStore(), mode: 'write' })
      const added: string[] = []
      let isOver = false

      /** As whoever uses a store: what may pass is tried again. Nobody else adds these, so each is added by the try that is answered. */
      async function addAll(writer: number): Promise<void> {
        for (let n = 0; !isOver; n++) {
          const name = `w${writer}n${n}`
          for (let isDone = false; !isDone; ) {
            try {
              const [answer] = await store.addFeeds([newFeed(name)])
              expect(answer!.added).toBe(true)
              isDone = true
            } catch (error) {
              if (!(error instanceof StoreError && error.isPassing)) throw error
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
