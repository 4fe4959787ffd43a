/**
 * Disk usage per feed with twenty searchable entries, by purpose: `node bench/disk-usage.ts [--feeds 2000]`. The entries are generated
 * prose as long as that of real feeds: nine words of title, 26 of text, and an address made of the title. For comparison: the same feeds as
 * one JSON document each in an SQLite table, as in the founding document (without ordered dates, keys, or search), and all of that
 * compressed at once with Zstandard, which is a lower bound for stores of single entries.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { address } from '../src/model/address.fixture.ts'
import type { EntryDraft } from '../src/model/index.ts'
import { hostOf, type NewFeed, type PollRecord, type Search, type Store } from '../src/ports/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'
import { feedFields } from './feed-fields.ts'
import { createProse } from './generated-prose.ts'

const START = 1_760_000_000_000
const HOUR = 3_600_000
const ENTRIES = 20
const AT_ONCE = 200

/** By prefixes of table and index names; the first that matches counts. */
const FOR: [string, RegExp][] = [
  ['search: where words stand', /^(entry_words|search_prefixes)/],
  ['search: the order of time', /search_positions/],
  ['what entries say', /^entries$/],
  ['entries by key, feed, date', /^entries_/],
  ['waiting to be compared', /ungrouped/],
  ['the feed and its schedule', /feeds|schedules|polls|feed_/],
]

interface FeedWithEntries {
  feed: NewFeed['feed']
  fresh: EntryDraft[]
}

const { values } = parseArgs({ options: { feeds: { type: 'string', default: '2000' } } })
const count = Number(values.feeds)
const folder = mkdtempSync(join(tmpdir(), 'freshet-usage-'))
try {
  const feeds = makeFeeds()
  const bytes = await inStore(join(folder, 'store.db'), feeds)
  const [documents, packed] = asDocuments(join(folder, 'documents.db'), feeds)
  report(bytes, documents, packed)
} finally {
  rmSync(folder, { recursive: true })
}

function makeFeeds(): FeedWithEntries[] {
  const prose = createProse(7)
  return Array.from({ length: count }, (_, i) => {
    const host = `${prose.words(2).toLowerCase().replaceAll(' ', '-')}-${i}.example`
    const feed: NewFeed['feed'] = {
      url: address(`https://www.${host}/feed/`),
      root: host,
      title: prose.words(3),
      description: prose.words(10),
      siteUrl: address(`https://www.${host}/`),
      ...feedFields(i),
      addedAt: START,
    }
    const fresh = Array.from({ length: ENTRIES }, (_, j): EntryDraft => {
      const title = prose.words(9)
      const url = address(`https://www.${host}/2025/10/${10 + j}/${title.toLowerCase().replaceAll(' ', '-')}/`)
      const publishedAt = START - j * 2 * HOUR - Math.floor(prose.chance() * HOUR)
      return { key: url, url, title, summary: prose.words(26), author: prose.words(2), publishedAt }
    })
    return { feed, fresh }
  })
}

/** Bytes by table and index name. */
async function inStore(file: string, feeds: FeedWithEntries[]): Promise<Map<string, number>> {
  const { store, search } = openSqliteStore({ file, mode: 'write', now: () => START })
  const schedule = { strategy: 'tide', memory: new Uint8Array(252).fill(7), dueAt: START, failures: 0 } as const
  for (const { feed, fresh } of feeds) {
    const [added] = await store.addFeeds([{ feed, schedule }])
    const feedId = added!.id
    const result: PollRecord['poll']['result'] = {
      kind: 'read',
      fresh: ENTRIES,
      changed: 0,
      window: ENTRIES,
      gap: false,
    }
    const poll = { feedId, at: START, tookMs: 87, bytes: 20_480, conditional: true, result }
    await store.recordPolls([{ poll, schedule: { ...schedule, polledAt: START }, fresh, changed: [] }])
  }
  await makeSearchable(store, search)
  await store.close()
  const db = new Database(file, { readonly: true })
  const rows = db
    .prepare<[], { name: string; bytes: number }>('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
    .all()
  db.close()
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

async function makeSearchable(store: Store, search: Search): Promise<void> {
  for (;;) {
    const { positions, changes } = await store.unindexed(AT_ONCE)
    if (positions.length === 0) break
    await search.put(
      changes.flatMap(({ entry }) => {
        if (!entry) return []
        const { id, feedId, title, summary = '', author = '', publishedAt = START, url } = entry
        const host = hostOf(url!) // like the crawl does
        const known = { language: 'en', category: 'uncategorized', ...(host && { host }) }
        return [{ id, feedId, at: publishedAt, title, text: summary, names: [author], ...known }]
      }),
    )
    await store.markIndexed(positions)
  }
  while (await search.tidy());
}

function asDocuments(file: string, feeds: FeedWithEntries[]): [plain: number, packed: number] {
  const db = new Database(file)
  db.exec('CREATE TABLE feeds (domain TEXT PRIMARY KEY, feed TEXT NOT NULL)')
  const put = db.prepare('INSERT INTO feeds VALUES (?, ?)')
  const documents = feeds.map(({ feed, fresh }) => {
    const entries = fresh.map(({ key: _, ...fields }) => fields)
    return JSON.stringify({ title: feed.title, description: feed.description, url: feed.url, entries })
  })
  db.transaction(() => {
    for (const [i, { feed }] of feeds.entries()) put.run(feed.root, documents[i])
  })()
  db.close()
  return [statSync(file).size, zstdCompressSync(documents.join('\n')).length]
}

function report(bytes: Map<string, number>, documents: number, packed: number): void {
  const sums = new Map<string, number>()
  for (const [name, size] of bytes) {
    const what = FOR.find(([, pattern]) => pattern.test(name))?.[0] ?? 'all the rest'
    sums.set(what, (sums.get(what) ?? 0) + size)
  }
  const all = [...sums.values()].reduce((sum, size) => sum + size, 0)
  console.log(`${count} feeds of ${ENTRIES} entries, commit ${commit()}, node ${process.version}\n`)
  const line = (what: string, ...cells: string[]) =>
    console.log(what.padEnd(44) + cells.map((cell) => cell.padStart(10)).join(''))
  line('', 'kB a feed', 'of ours')
  const sizeLine = (what: string, size: number) =>
    line(what, (size / count / 1000).toFixed(2), `${((100 * size) / all).toFixed(0)} %`)
  for (const [what, size] of [...sums].sort((a, b) => b[1] - a[1])) sizeLine(what, size)
  sizeLine('all of it', all)
  sizeLine('as one document of JSON a feed, unsearchable', documents)
  sizeLine('these packed together, unreadable', packed)
}
