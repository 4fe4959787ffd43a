/** Rows of the poll log, and the log of an older store. */
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { postgresForTests } from '../../../test/postgres-server.ts'
import type { FeedId } from '../../model/index.ts'
import { MAX_POLLS_IN_RUN } from '../../ports/index.ts'
import { addFeed, draft, failedRecord, record, START, unchangedRecord } from '../../ports/store-samples.contract.ts'
import { openPostgresStore } from './index.ts'
import { postgresMigrations } from './migrate.ts'

const { server, reason } = await postgresForTests()
afterAll(() => server?.close())

async function ask(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows ?? []
}

async function rowsOf(address: string): Promise<unknown[]> {
  const rows = await ask(
    address,
    `SELECT times, (at - ${START})::integer AS at, (began_at - ${START})::integer AS began_at FROM polls ORDER BY place`,
  )
  return rows.map(({ times, at, began_at }) => [times, at, began_at])
}

describe.skipIf(!server)(`the poll log in PostgreSQL${reason ? ` (${reason})` : ''}`, () => {
  it('has one row for a run of unchanged polls, and none for a single one', async () => {
    const address = await server!.freshStore()
    const { store } = await openPostgresStore({ address, mode: 'write' })
    const [a, b] = [await addFeed(store, 'a'), await addFeed(store, 'b')]
    for (let i = 0; i < 5; i++) await store.recordPolls([a, b].map((id) => unchangedRecord(id, START + i)))
    expect(await rowsOf(address)).toEqual([])
    await store.recordPolls([record(a, START + 5, { fresh: [draft('x')] }), unchangedRecord(b, START + 5)])
    expect(await rowsOf(address)).toEqual([
      [5, 4, 0],
      [1, 5, null],
    ])
    await store.recordPolls([failedRecord(b, START + 6)])
    await store.recordPolls(Array.from({ length: MAX_POLLS_IN_RUN + 1 }, (_, i) => unchangedRecord(b, START + 7 + i)))
    expect((await rowsOf(address)).slice(2)).toEqual([
      [6, 5, 0],
      [1, 6, null],
      [MAX_POLLS_IN_RUN, 6 + MAX_POLLS_IN_RUN, 7],
    ])
    expect((await store.counts()).polls).toBe(6 + 7 + MAX_POLLS_IN_RUN + 1)
    await store.close()
  })

  it('continues the log of an older version', async () => {
    const address = await server!.freshDatabase()
    const migrations = postgresMigrations()
    const before = migrations.findIndex((sql) => sql.includes('ADD COLUMN began_at'))
    await ask(address, migrations.slice(0, before).join('\n'))
    await ask(
      address,
      `CREATE TABLE freshet_shape (shape integer PRIMARY KEY, made_at timestamptz DEFAULT now());
       INSERT INTO freshet_shape (shape) SELECT * FROM generate_series(1, ${before});
       INSERT INTO feeds (id, url, url_hash, root, title, subscribers, haystack, added_at) OVERRIDING SYSTEM VALUE
         VALUES (1, 'https://a.example/feed', 1, 'a.example', 'a', 1, 'a', ${START});
       INSERT INTO schedules (feed_id, bucket, state, due_at, polled_at, failures, last_poll, strategy, memory)
         VALUES (1, 0, 'active', ${START}, ${START + 1}, 0, 2, 'fix', '');
       INSERT INTO polls (place, previous, feed_id, at, took_ms, bytes, asked, occasion, result, fresh, changed, window_size)
         VALUES (1, NULL, 1, ${START}, 9, 99, 1, 0, 0, 3, 0, 10), (2, 1, 1, ${START + 1}, 9, 0, 1, 0, 2, NULL, NULL, NULL);`,
    )
    const { store } = await openPostgresStore({ address, mode: 'write' })
    const feedId = 1 as FeedId
    await store.recordPolls([unchangedRecord(feedId, START + 2), unchangedRecord(feedId, START + 3)])
    for (const of of [{ feedId }, {}])
      expect((await store.polls({ ...of, limit: 9 })).map(({ at, result }) => [at - START, result.kind])).toEqual([
        [3, 'not-modified'],
        [2, 'not-modified'],
        [1, 'not-modified'],
        [0, 'read'],
      ])
    expect(await rowsOf(address)).toHaveLength(2)
    await store.close()
  })
})
