/**
 * Duration of a search, and how long it blocks the process: `node bench/search.ts [--entries 200000] [--articles 20000] [--feeds 2000]
 * [--draws 20] [--keep FOLDER]`. A large store has 2,000,000 entries of some fifty words, 200,000 of them with article texts of 500 words;
 * filling it takes a quarter of an hour, so --keep stores it and reuses it. Words are drawn as people use them (a few very often, most
 * hardly ever) and look like words, so that prefixes are as common as in a language.
 *
 * The peer is FTS5 itself with the same texts: one table, `MATCH … ORDER BY rank LIMIT 20`, without feeds, languages or dates.
 *
 * With --postgres the index is in PostgreSQL (found or started as in tests, but it syncs its log; with --keep ADDRESS an existing one,
 * which is left unchanged) and is filled without entries; the peer is a plain table of the same vectors with a GIN index, `words @@ query
 * ORDER BY ts_rank(words, query) DESC LIMIT 20`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { address } from '../src/model/address.fixture.ts'
import { DAY, type EntryDraft, type EntryId, type FeedId, MINUTE, type Schedule } from '../src/model/index.ts'
import type {
  EntryListQuery,
  NewFeed,
  PollRecord,
  SearchDocument,
  SearchQuery,
  SearchTerm,
} from '../src/ports/index.ts'
import { parsedQuery } from '../src/ports/search-query.fixture.ts'
import { openThreadedSqliteStore } from '../src/stores/index.ts'
import { openPostgresStore } from '../src/stores/postgres/index.ts'
import { searchSql } from '../src/stores/postgres/search-conditions.ts'
import { postgresForTests } from '../test/postgres-server.ts'
import { commit } from './current-commit.ts'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '200000' },
    articles: { type: 'string', default: '20000' },
    feeds: { type: 'string', default: '2000' },
    draws: { type: 'string', default: '20' },
    keep: { type: 'string' },
    postgres: { type: 'boolean', default: false },
  },
})
const ENTRIES = Number(values.entries)
const EVERY = Math.round(ENTRIES / Number(values.articles))
const FEEDS = Number(values.feeds)
const DRAWS = Number(values.draws)
const SPAN = 120 * DAY
const NOW = Date.parse('2026-03-01')
const LIMIT = 20
const PORTION = 200
const PORTIONS = 20 // indexed at once: nothing else waits
const TICK_MS = 5
const PEER_DRAWS = 3 // some queries take ten seconds
const LANGUAGES = ['en', 'en', 'en', 'en', 'en', 'en', 'de', 'de', 'fr', 'is']
const CATEGORIES = ['world', 'politics', 'business', 'science', 'sports', 'culture', 'local']

const chance = createChance(7)
const vocabulary = createVocabulary(200_000)
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'freshet-search-'))
const file = join(folder, 'store.db')
if (values.postgres) {
  await onPostgres()
  process.exit()
}
const { store, search } = await openThreadedSqliteStore({ file, now: () => NOW })
const plain = new Database(join(folder, 'plain.db'))
try {
  await fill()
  const { entries: all } = await store.counts()
  console.log(
    `${all} entries, every ${EVERY}th with an article, ${FEEDS} feeds, commit ${commit()}, node ${process.version}`,
  )
  const { index, entries } = await store.diskUsage()
  const pages = plain.pragma('page_count', { simple: true }) as number
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  console.log(`entries ${mb(entries)}, index ${mb(index)}; plain FTS5 ${mb(pages * 4096)}\n`)
  await search.find(parsedQuery(vocabulary.rare()), LIMIT) // starts the thread
  console.log(line('', 'relevance', '', 'date', '', 'stall,', 'plain FTS5', ''))
  console.log(line('', 'p50 ms', 'p95', 'p50 ms', 'p95', 'CPU ms', 'p50 ms', 'p95'))
  for (const [what, draw] of Object.entries(kinds())) await report(what, draw)
  console.log(line('\nlists of 50, newest first', 'p50 ms', 'p95', '', '', 'stall'))
  for (const [what, query] of Object.entries(lists())) await reportList(what, query)
} finally {
  await store.close()
  plain.close()
  if (!values.keep) rmSync(folder, { recursive: true })
}

async function onPostgres(): Promise<void> {
  const { server, reason } = values.keep
    ? { reason: undefined }
    : await postgresForTests({ fsync: 'on', shared_buffers: '512MB', max_wal_size: '4GB' })
  if (reason) throw new Error(reason)
  const to = values.keep ?? (await server!.freshStore())
  const { store: store2, search: index } = await openPostgresStore({ address: to, mode: 'write' })
  const client = new pg.Client({ connectionString: to })
  await client.connect()
  try {
    const { rows: filled } = await client.query('SELECT count(*)::int AS count FROM entry_search')
    const from = performance.now()
    let making = 0
    for (let number = filled[0]?.count ?? 0; number < ENTRIES; number += 1000) {
      const feedId = (1 + (Math.floor(number / 1000) % FEEDS)) as FeedId
      const before = performance.now()
      const documents = Array.from({ length: 1000 }, (_, i) => newDocument(number + i, feedId))
      making += performance.now() - before
      await index.put(documents)
    }
    while (await index.tidy());
    const seconds = (performance.now() - from - making) / 1000
    const put = ENTRIES - (filled[0]?.count ?? 0)
    if (put > 0) {
      await client.query('DROP TABLE IF EXISTS plain')
      await client.query('CREATE TABLE plain AS SELECT entry_id, words FROM entry_search')
      await client.query('CREATE INDEX plain_words ON plain USING gin (words)')
      await client.query('ANALYZE plain; ANALYZE entry_search')
    }
    const { rows: peers } = await client.query("SELECT to_regclass('plain') IS NOT NULL AS here")
    const { rows: rows2 } = await client.query('SHOW server_version')
    console.log(
      `PostgreSQL ${rows2[0]?.server_version}, ${ENTRIES} entries, every ${EVERY}th with an article, ${put} put in ${seconds.toFixed(0)} s (${Math.round(put / seconds)} a second), commit ${commit()}, node ${process.version}\n`,
    )
    console.log(line('', 'relevance', '', 'date', '', 'plain', ''))
    console.log(line('', 'p50 ms', 'p95', 'p50 ms', 'p95', 'p50 ms', 'p95'))
    for (const [what, draw] of Object.entries(kinds())) {
      const drawn = Array.from({ length: DRAWS }, draw)
      const worth = await timed(drawn, ({ query }) => index.find(query, LIMIT).catch(() => {}))
      const dated = await timed(drawn, ({ query }) => index.find(query, LIMIT, { order: 'date' }).catch(() => {}))
      const shared = peers[0]?.here ? drawn.filter(({ match }) => match !== undefined) : []
      const peer = await timed(shared.slice(0, PEER_DRAWS), ({ query }) => {
        const { weighedBy } = searchSql(query) ?? {}
        return client.query(
          `SELECT entry_id FROM plain WHERE words @@ $1::tsquery ORDER BY ts_rank(words, $1::tsquery) DESC LIMIT ${LIMIT}`,
          [weighedBy],
        )
      })
      console.log(line(what, ...worth, ...dated, ...peer))
    }
  } finally {
    await client.end()
    await store2.close()
    await server?.close()
  }
}

/** The queries, by kind. */
function kinds(): Record<string, () => { query: SearchQuery; match?: string }> {
  const { rare, usual, common, beginning } = vocabulary
  const typed = (text: string, match?: string) => ({
    query: parsedQuery(text, { now: NOW }),
    ...(match !== undefined && { match }),
  })
  const words = (text: string) => typed(text, text.replaceAll('-', 'NOT '))
  const unfinished = (text: string) => ({ query: parsedQuery(text, { now: NOW, isTyping: true }) })
  const some: SearchTerm = { kind: 'feeds', ids: Array.from({ length: FEEDS / 2 }, (_, i) => (2 * i + 1) as FeedId) }
  const few: SearchTerm = { kind: 'feeds', ids: Array.from({ length: 20 }, (_, i) => (7 * i + 1) as FeedId) }
  const within = (term: SearchTerm, { all, none }: SearchQuery) => ({ query: { all: [...all, [term]], none } })
  return {
    'a rare word': () => words(rare()),
    'a usual word': () => words(usual()),
    'a common word': () => words(common()),
    'two usual words': () => words(`${usual()} ${usual()}`),
    'a common and a usual one': () => words(`${common()} ${usual()}`),
    'two common words': () => words(`${common()} ${common()}`),
    'a phrase of common words': () => words(`"${common()} ${common()}"`),
    'usual OR usual OR common': () => words(`${usual()} OR ${usual()} OR ${common()}`),
    'usual, not common': () => words(`${usual()} -${common()}`),
    'a beginning, two letters': () => words(`${beginning(2)}*`),
    'a beginning, three letters': () => words(`${beginning(3)}*`),
    'a beginning, five letters': () => words(`${beginning(5)}*`),
    'common, in a feed': () => typed(`${common()} feed:${1 + chance(FEEDS)}`),
    'common, in 20 feeds': () => within(few, parsedQuery(common())),
    'common, in half of the feeds': () => within(some, parsedQuery(common())),
    'a usual word, exact': () => typed(`"${usual()}"`),
    'a common word, exact': () => typed(`"${common()}"`),
    'two usual words, exact': () => typed(`"${usual()}" "${usual()}"`),
    'typing: two letters': () => unfinished(beginning(2)),
    'typing: three letters': () => unfinished(beginning(3)),
    'typing: five letters': () => unfinished(beginning(5)),
    'typing: a usual word': () => unfinished(usual()),
    'typing: a common word': () => unfinished(common()),
    'typing: usual, two letters': () => unfinished(`${usual()} ${beginning(2)}`),
    'typing: common, five letters': () => unfinished(`${common()} ${beginning(5)}`),
    'typing: a phrase, two letters': () => unfinished(`"${common()} ${beginning(2)}`),
    'typing: a phrase, five letters': () => unfinished(`"${common()} ${beginning(5)}`),
    'usual, in a language': () => typed(`${usual()} lang:de`),
    'common, in a rare language': () => typed(`${common()} lang:is`),
    'common, in a category': () => typed(`${common()} category:science`),
    'common, of a site': () => typed(`${common()} site:site-${chance(FEEDS)}.example`),
    'common, of a day': () => typed(`${common()} since:2026-01-10 until:2026-01-10`),
    'a category alone': () => typed('category:culture'),
  }
}

async function report(what: string, draw: () => { query: SearchQuery; match?: string }): Promise<void> {
  const drawn = Array.from({ length: DRAWS }, draw)
  const { took, stall } = await watched(async () => [
    ...(await timed(drawn, ({ query }) => search.find(query, LIMIT))),
    ...(await timed(drawn, ({ query }) => search.find(query, LIMIT, { order: 'date' }))),
  ])
  const own = plain.prepare(`SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ${LIMIT}`)
  const peer = await timed(drawn.filter(({ match }) => match !== undefined).slice(0, PEER_DRAWS), async ({ match }) =>
    own.all(match),
  )
  console.log(line(what, ...took, stall, ...peer))
}

/** Filters. */
function lists(): Record<string, Omit<EntryListQuery, 'limit'>> {
  const feeds = (count: number) => Array.from({ length: count }, (_, i) => (1 + ((i * 7) % FEEDS)) as FeedId)
  return {
    all: {},
    'of a feed': { feedIds: feeds(1) },
    'of 20 feeds': { feedIds: feeds(20) },
    'of 200 feeds': { feedIds: feeds(200) },
    'in a language': { language: 'de' },
    'in a rare language': { language: 'is' },
    'of a category': { category: 'science' },
    'of a category that nothing has': { category: 'nothing' },
    'each story once': { unique: 'story' },
    'until a month ago': { until: NOW - 30 * DAY, language: 'fr' },
  }
}

/** A page, the one after it, and so on. */
async function reportList(what: string, query: Omit<EntryListQuery, 'limit'>): Promise<void> {
  let after: EntryListQuery['after']
  const { took, stall } = await watched(() =>
    timed(Array.from({ length: DRAWS }), async () => {
      const page = await store.listEntries({ ...query, limit: 50, ...(after && { after }) })
      after = page.nextAfter
    }),
  )
  console.log(line(what, ...took, '', '', stall))
}

/**
 * The longest time in which nothing else could happen, in CPU milliseconds of the main thread, because wall-clock time says little on a
 * busy machine.
 */
async function watched<Took>(work: () => Promise<Took>): Promise<{ took: Took; stall: string }> {
  let [last, stall] = [cpuMs(), 0]
  const tick = () => {
    const now = cpuMs()
    stall = Math.max(stall, now - last)
    last = now
  }
  const ticker = setInterval(tick, TICK_MS)
  const took = await work()
  tick()
  clearInterval(ticker)
  return { took, stall: stall.toFixed(0) }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function timed<One>(all: One[], work: (one: One) => Promise<unknown>): Promise<[p50: string, p95: string]> {
  const took: number[] = []
  for (const one of all) {
    const from = performance.now()
    await work(one)
    took.push(performance.now() - from)
    await yieldToEventLoop() // so that each stall belongs to one search
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.floor(took.length * share)]?.toFixed(1) ?? '-'
  return [at(0.5), at(0.95)]
}

function line(what: string, ...cells: string[]): string {
  return what.padEnd(30) + cells.map((cell) => cell.padStart(11)).join('')
}

/** Continues an interrupted run. */
async function fill(): Promise<void> {
  const { entries: filled } = await store.counts()
  if (filled >= ENTRIES) return
  const from = performance.now()
  const ids: FeedId[] = []
  for (let i = 0; i < FEEDS; i += PORTION)
    ids.push(...(await store.addFeeds(Array.from({ length: PORTION }, (_, j) => newFeed(i + j)))).map(({ id }) => id))
  plain.pragma('journal_mode = WAL')
  plain.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, text, content = '', tokenize = 'unicode61 remove_diacritics 2')",
  )
  const put = plain.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)')
  const putAll = plain.transaction((all: SearchDocument[]) => {
    for (const { id, title, text } of all) put.run(id, title, text)
  })
  let waiting: SearchDocument[] = []
  for (let number = filled; number < ENTRIES; number += PORTION) {
    const feedId = ids[Math.floor(number / PORTION) % FEEDS]!
    const documents = Array.from({ length: PORTION }, (_, i) => newDocument(number + i, feedId))
    await store.recordPolls([recordOf(feedId, documents)])
    waiting.push(...documents)
    if (waiting.length < PORTION * PORTIONS && number + PORTION < ENTRIES) continue
    await search.put(waiting)
    putAll(waiting)
    waiting = []
    while (await search.tidy());
  }
  console.log(`filled in ${((performance.now() - from) / 60_000).toFixed(1)} minutes`)
}

/** Entries come in chronological order, those of a feed together. */
function newDocument(number: number, feedId: FeedId): SearchDocument {
  const words = Array.from({ length: 49 + (number % EVERY === 0 ? 500 : 0) }, vocabulary.word)
  return {
    id: (number + 1) as EntryId,
    feedId,
    at: NOW - SPAN + Math.floor((number / ENTRIES) * SPAN) - chance(10) * MINUTE,
    title: words.slice(0, 9).join(' '),
    text: words.slice(9).join(' '),
    names: [`${vocabulary.usual()} ${vocabulary.usual()}`],
    language: LANGUAGES[chance(100) === 0 ? 9 : chance(9)]!,
    category: CATEGORIES[chance(CATEGORIES.length)]!,
    host: `site-${feedId}.example`,
  }
}

function recordOf(feedId: FeedId, documents: SearchDocument[]): PollRecord {
  const fresh = documents.map(({ id, title, text, at, language, category, host }): EntryDraft => {
    const url = `https://${host}/${id}`
    return { key: url, url, title, summary: text.slice(0, 300), publishedAt: at, language, category }
  })
  const at = Math.max(...documents.map((document) => document.at))
  const result = { kind: 'read', fresh: fresh.length, changed: 0, window: fresh.length, gap: false } as const
  return {
    poll: { feedId, at, tookMs: 87, bytes: 20_480, conditional: true, result },
    schedule: { ...newSchedule(), polledAt: at, succeededAt: at },
    fresh,
    changed: [],
  }
}

function newFeed(i: number): NewFeed {
  const url = address(`https://site-${i}.example/feed`)
  const feed = { url, root: `site-${i}.example`, title: `Site ${i}`, validators: {}, subscribers: 1, addedAt: 0 }
  return { feed: { ...feed, state: 'active', articles: 'never' }, schedule: newSchedule() }
}

function newSchedule(): Schedule {
  return { strategy: 'fixed:1h', memory: new Uint8Array(0), dueAt: NOW + DAY, failures: 0 }
}

/** Most frequent first; the frequency of a word falls with its rank (Zipf). */
function createVocabulary(size: number) {
  const beginnings = [
    'co',
    're',
    'in',
    'the',
    'an',
    'mo',
    'de',
    'st',
    'pro',
    'con',
    'un',
    'pre',
    'ma',
    'wa',
    'se',
    'fi',
    'ba',
    'to',
  ]
  const middles = ['ra', 'ti', 'le', 'ka', 'vo', 'ter', 'ne', 'lu', 'do', 'ga', 'mi', 'si', 'no', 'ver', 'po', 'cha']
  const ends = ['', 's', 'ed', 'ing', 'er', 'tion', 'al', 'y', 'ment', 'ly']
  const all = new Set<string>()
  for (let i = 0; all.size < size; i++) {
    const middle = Array.from({ length: i < 300 ? 0 : 1 + chance(4) }, () => middles[chance(middles.length)])
    all.add(beginnings[chance(beginnings.length)] + middle.join('') + ends[chance(ends.length)])
  }
  const words = [...all]
  const between = (from: number, to: number) => () => words[from + chance(Math.min(to, size) - from)]!
  return {
    word: () => words[Math.floor(size ** (chance(1_000_000) / 1_000_000)) - 1]!,
    common: between(0, 20),
    usual: between(1000, 5000),
    rare: between(50_000, 150_000),
    beginning: (letters: number) => {
      for (;;) {
        const word = between(0, 3000)()
        if (word.length >= letters) return word.slice(0, letters)
      }
    },
  }
}

/** Pseudo-random integers below `most`, the same each time. */
function createChance(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}
