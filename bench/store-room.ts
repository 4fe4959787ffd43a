/**
 * The room that feeds of twenty entries take, table by table, and how long it takes to read them: part of `node bench/store.ts`. Entries
 * are made up to look like those of a blog or a newspaper: a title of nine words, an address made of it, a teaser of forty words, an author,
 * now and then tags; half of the feeds have numbers for keys, as the most used program gives them. They come as in a
 * crawl: few at first, and between two portions the keeper has its turn, who makes them searchable, compares them and keeps room.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { defaultConfig, openCrawl } from '../src/app/index.ts'
import { address } from '../src/model/address.fixture.ts'
import { DAY, type EntryDraft, type EntryId, type FeedId, type Schedule } from '../src/model/index.ts'
import type { Net, NewFeed, PollRecord, Store } from '../src/ports/index.ts'
import { createProse, type Prose } from './prose.ts'

const EACH = 20
const FIRST = 10 // feeds of the first portion
const LARGEST = 500
const DRAWS = 4000
const NOW = Date.parse('2026-11-16T12:00Z')

export interface Room {
  feeds: number
  /** Bytes a feed. */
  tables: Record<string, number>
  file: number
  /** CPU microseconds. */
  reads: Record<string, number>
}

export async function measureRoom(folder: string, feeds: number): Promise<Room> {
  const file = join(folder, 'room.db')
  const refuse = () => Promise.reject(new Error('nobody is asked'))
  const nobody: Net = { get: refuse, post: refuse, close: async () => {} }
  const crawl = await openCrawl({ ...defaultConfig(), store: file, articles: 'never' }, { net: nobody })
  const prose = createProse(11)
  const keys = new Map<FeedId, string[]>()
  for (let done = 0, portion = FIRST; done < feeds; done += portion, portion = Math.min(LARGEST, portion * 2)) {
    await fill(crawl.store, prose, done, Math.min(portion, feeds - done), keys)
    await crawl.crawler.runOnce(AbortSignal.timeout(3_600_000))
  }
  const reads = await timeReads(crawl.store, prose, keys)
  await crawl.close(0)
  return { feeds, tables: tablesIn(file, feeds), file: statSync(file).size / feeds, reads }
}

async function fill(store: Store, prose: Prose, from: number, count: number, keys: Map<FeedId, string[]>) {
  const added = await store.addFeeds(Array.from({ length: count }, (_, i) => newFeed(prose, from + i)))
  const records = added.map(({ id }, i): PollRecord => {
    const at = NOW - DAY + from + i
    const fresh = newEntries(prose, from + i, at)
    keys.set(
      id,
      fresh.map(({ key }) => key),
    )
    return {
      poll: {
        ...{ feedId: id, at, tookMs: 87, bytes: 20_480, conditional: true },
        result: { kind: 'read', fresh: EACH, changed: 0, window: EACH, gap: false },
      },
      schedule: { ...newSchedule(), polledAt: at, succeededAt: at },
      fresh,
      changed: [],
    }
  })
  await store.recordPolls(records)
}

function newFeed(prose: Prose, i: number): NewFeed {
  return {
    feed: {
      url: address(`https://www.site-${i}.example/category/news/feed.xml`),
      root: `site-${i}.example`,
      title: prose.words(4),
      description: prose.words(12),
      siteUrl: address(`https://www.site-${i}.example/`),
      language: 'en',
      format: 'rss',
      validators: { etag: `W/"${i}-5f3a9c01d2"`, lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT' },
      bodyHash: `${i}`.padStart(32, 'c0ffee'),
      subscribers: 1,
      state: 'active',
      addedAt: NOW - DAY,
    },
    schedule: newSchedule(),
  }
}

function newSchedule(): Schedule {
  return { strategy: 'tide', memory: new Uint8Array(252).fill(7), dueAt: NOW + 365 * 10 * DAY, failures: 0 }
}

function newEntries(prose: Prose, i: number, at: number): EntryDraft[] {
  const some = (count: number) => Math.floor(prose.chance() * count)
  const [authors, tags] = [3, 10].map((count) => Array.from({ length: count }, (_, j) => prose.words(j % 2 ? 1 : 2)))
  return Array.from({ length: EACH }, (_, j) => {
    const title = prose.words(6 + some(7))
    const publishedAt = at - some(60 * 86_400) * 1000
    const month = new Date(publishedAt).toISOString().slice(0, 7).replace('-', '/')
    const url = `https://www.site-${i}.example/${month}/${title.toLowerCase().replaceAll(' ', '-')}/`
    return {
      key: i % 2 ? url : `https://www.site-${i}.example/?p=${10_000 + j * 7 + some(7)}`,
      url,
      title,
      author: authors![some(3)]!,
      summary: `<p>${prose.words(25 + some(30))} &#8230;</p>`,
      publishedAt,
      language: 'en',
      ...(i % 3 === 0 && { tags: [...new Set([tags![some(10)]!, tags![some(10)]!])] }),
    }
  })
}

async function timeReads(store: Store, prose: Prose, keys: Map<FeedId, string[]>): Promise<Room['reads']> {
  const feedIds = [...keys.keys()]
  const newest = await store.newestEntryId()
  const anyFeed = () => feedIds[Math.floor(prose.chance() * feedIds.length)]!
  const anyEntry = () => (1 + Math.floor(prose.chance() * newest)) as EntryId
  const ask = {
    'an entry': () => store.entriesById([anyEntry()]),
    'twenty keys': () => {
      const feedId = anyFeed()
      return store.known([{ feedId, keys: keys.get(feedId)! }])
    },
    'a page of 20 of a feed': () => store.entries({ feedId: anyFeed(), limit: EACH }),
  }
  const reads: Room['reads'] = {}
  for (const [what, once] of Object.entries(ask)) {
    for (let i = 0; i < DRAWS / 4; i++) await once()
    const before = process.threadCpuUsage()
    for (let i = 0; i < DRAWS; i++) await once()
    const { user, system } = process.threadCpuUsage(before)
    reads[what] = (user + system) / DRAWS
  }
  return reads
}

function tablesIn(file: string, feeds: number): Room['tables'] {
  const db = new Database(file, { readonly: true })
  const rows = db
    .prepare<[], { name: string; bytes: number }>(
      'SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE GROUP BY name ORDER BY bytes DESC',
    )
    .all()
  db.close()
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes / feeds]))
}
