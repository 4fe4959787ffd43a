import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { addFeed, all, draft, record, START } from '../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'freshet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ARTICLE = '<p>The geese came back to the weir on Monday, and nobody was surprised.</p>\n'.repeat(80)

async function filled(name: string, contents: string[]) {
  const file = join(folder, name)
  const { store } = openSqliteStore({ file, mode: 'write', now: () => START })
  const feedId = await addFeed(store, 'f')
  const fresh = contents.map((content, i) => draft(`e${i}`, { content }))
  await store.recordPolls([record(feedId, START, { fresh })])
  const plain = new Database(file)
  const kinds = () =>
    plain
      .prepare<[], { kind: string; bytes: number }>(
        'SELECT typeof(content) AS kind, octet_length(content) AS bytes FROM entries ORDER BY id',
      )
      .all()
  const close = () => {
    plain.close()
    return store.close()
  }
  return { store, feedId, plain, kinds, close }
}

it('compresses long old texts, and leaves short and new ones as they are', async () => {
  const { store, feedId, kinds, close } = await filled('long.db', [ARTICLE, 'brief'])
  await store.recordPolls([record(feedId, START + 5, { fresh: [draft('new', { content: ARTICLE })] })])
  expect(await store.compressEntries(START + 5, 9)).toBe(1)
  expect(await store.compressEntries(START + 5, 9)).toBe(0)
  expect(kinds().map(({ kind }) => kind)).toEqual(['blob', 'text', 'text'])
  expect(kinds()[0]!.bytes).toBeLessThan(ARTICLE.length / 10)
  await close()
})

it('tries incompressible texts only once', async () => {
  const noise = Array.from({ length: 2_000 }, (_, i) => String.fromCharCode(33 + ((i * i * 31 + (i >> 3) * 17) % 90)))
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(3_000))).toString('base64')
  const { store, kinds, close } = await filled('noise.db', [random, noise.join('')])
  const before = await all(store.everyEntry({}))
  while ((await store.compressEntries(START + 5, 9)) > 0);
  expect(kinds().map(({ kind }) => kind)).toEqual(['blob', 'blob'])
  expect(kinds()[0]!.bytes).toBeLessThanOrEqual(random.length + 1)
  expect(await all(store.everyEntry({}))).toStrictEqual(before)
  await close()
})

it('scans only texts that are not compressed yet', async () => {
  const { store, plain, close } = await filled('index.db', [ARTICLE])
  const plan = plain
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id, content FROM entries
       WHERE typeof(content) = 'text' AND octet_length(content) >= 1000 AND seen_at < 9 ORDER BY seen_at LIMIT 9`,
    )
    .all()
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/USING INDEX entries_unpacked/)])
  await store.compressEntries(START + 5, 9)
  expect(plain.prepare("SELECT sum(ncell) AS n FROM dbstat WHERE name = 'entries_unpacked'").get()).toEqual({ n: 0 })
  await close()
})

it('leaves a text alone that changes while it is compressed', async () => {
  const { store, feedId, kinds, close } = await filled('changed.db', [ARTICLE])
  const packing = store.compressEntries(START + 5, 9)
  await store.recordPolls([record(feedId, START + 1, { changed: [draft('e0', { content: `${ARTICLE}and again` })] })])
  await packing
  expect(kinds().map(({ kind }) => kind)).toEqual(['text'])
  expect((await all(store.everyEntry({})))[0]!.content).toBe(`${ARTICLE}and again`)
  await close()
})

it('rejects a text that a later version compressed with an unknown codec', async () => {
  const { store, plain, close } = await filled('later.db', [ARTICLE])
  plain.prepare('UPDATE entries SET content = ?').run(Buffer.of(99, 1, 2))
  await expect(all(store.everyEntry({}))).rejects.toThrow(/unknown codec 99/)
  await close()
})
