/** A store that grows learns the words of its feeds, and writes by them what it has; nothing that it says changes by that. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Entry, EntryDraft, FeedId } from '../../../model/index.ts'
import { all, newFeed, record, START } from '../../../ports/store-samples.contract.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations } from './migrate.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-'))
  file = join(folder, 'store.db')
})

afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openSqliteStore({ file, mode: 'write', now: () => START })

const WORDS = 'tide moon goose harbour Nebel Gänse лодка берег 潮 満 “storm” ebb'.split(' ')

function drafts(from: number, count: number): EntryDraft[] {
  return Array.from({ length: count }, (_, j) => {
    const i = from + j
    const words = (n: number) =>
      Array.from({ length: n }, (_, k) => WORDS[(i * 7 + k * k + k) % WORDS.length]).join(' ')
    const title = `Of ${words(5)} ${i}`
    const url = `https://site.example/${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}/`
    return {
      key: i % 2 ? url : `https://site.example/?p=${i}`,
      ...(i % 5 && { url }),
      title,
      publishedAt: START - i,
      ...(i % 3 && { summary: `<p>${words(30)} &#8230;</p>` }),
      ...(i % 50 === 7 && { content: `<p>${words(2000)}</p>` }),
      ...(i % 4 === 0 && { author: words(2), tags: [words(1)] }),
    }
  })
}

function ask(sql: string): unknown[] {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare(sql).raw().all()
  } finally {
    db.close()
  }
}

const bytes = () => Number((ask('SELECT sum(length(said)) FROM entries')[0] as number[])[0])

it('learns when there is eight times as much as before, in bites, and forgets what it no longer needs', async () => {
  let { store, search } = open()
  const [{ id } = { id: 0 as FeedId }] = await store.addFeeds([newFeed('a')])
  await store.recordPolls([record(id, START, { fresh: drafts(0, 400) })])
  expect(await search.tidy()).toBe(false)
  await store.recordPolls([record(id, START + 1, { fresh: drafts(400, 400) })])
  const [before, room] = [await all(store.everyEntry({})), bytes()]
  expect(await search.tidy()).toBe(true)
  await store.close() // in the middle of learning: it begins again
  ;({ store, search } = open())
  for (let i = 0; i < 45; i++) expect(await search.tidy()).toBe(true)
  expect(ask('SELECT id FROM vocabularies')).toEqual([[1], [2]])
  await store.recordPolls([record(id, START + 2, { fresh: drafts(800, 10) })])
  await store.close() // and in the middle of writing
  ;({ store, search } = open())
  while (await search.tidy());
  expect(ask('SELECT id, entries, written_to FROM vocabularies')).toEqual([[2, 800, null]])
  const after: Entry[] = await all(store.everyEntry({}))
  expect(after.slice(0, 800)).toEqual(before)
  expect(after).toHaveLength(810)
  expect(bytes()).toBeLessThan(room * 0.6)
  await store.close()
})

it('writes an older store by words, and loses nothing of it', async () => {
  const migrations = readMigrations()
  const index = migrations.findIndex((sql) => sql.includes('learn_tokens('))
  const db = new Database(file)
  migrate(db, file, migrations.slice(0, index))
  db.exec(`INSERT INTO feeds (url, root, title, subscribers, added_at, haystack) VALUES ('https://a.example/', 'a.example', 't', 1, 0, 't');
    INSERT INTO schedules (feed_id, state, due_at, failures, strategy, memory) VALUES (1, 'active', 0, 0, 'fixed', x'')`)
  const insert = db.prepare(
    `INSERT INTO entries (feed_id, key_hash, sort_at, seen_at, published_at, key, url, title, author, summary, content, extras)
     VALUES (1, key_hash($key), $publishedAt, ${START}, $publishedAt, $key, $url, $title, $author, $summary, $content, $extras)`,
  )
  const said = drafts(0, 300)
  for (const { tags, ...draft } of said) {
    const none = { url: null, author: null, summary: null, content: null }
    insert.run({ ...none, ...draft, extras: tags ? JSON.stringify({ tags }) : null })
  }
  db.exec('DELETE FROM entries WHERE id = 300')
  db.close()

  const { store } = open()
  const entries = await all(store.everyEntry({}))
  expect(entries).toEqual(said.slice(0, 299).map((draft, i) => ({ ...draft, id: i + 1, feedId: 1, seenAt: START })))
  const [known] = await store.known([{ feedId: 1 as FeedId, keys: [said[1]!.key, said[299]!.key] }])
  expect(known!.get(said[1]!.key)).toMatchObject({ title: said[1]!.title, url: said[1]!.url, bare: true })
  expect(known!.size).toBe(1)
  await store.recordPolls([record(1 as FeedId, START + 1, { fresh: drafts(500, 1) })])
  expect((await all(store.everyEntry({}))).at(-1)?.id).toBe(301) // an id is never given to another entry
  await store.close()
})
