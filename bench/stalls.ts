/**
 * How long large operations block the process: `node bench/stalls.ts [--feeds 2000] [--entries 80000] [--polls 100000] [--large 20000]`,
 * where the last is the size of one more feed. A large store has 100,000 feeds, 2,000,000 entries and 3,400,000 polls, and takes a quarter
 * of an hour to fill and another to index: `--keep FOLDER` stores it for reuse, and `--searchable` starts with an indexed one. `--only
 * WORDS` runs the operations with these words in their names; `--blame` prints what ran in turns that were too long (event-loop-turns.ts).
 *
 * Beside the longest turn is the CPU time of the whole operation on the main thread: without time slices, that would be the turn. The first
 * line does nothing for a second, as a baseline for the machine. Garbage is collected with the program's settings (app/heap), which is why
 * everything else is loaded after that.
 */
import { createHmac } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { keepHeapSmall } from '../src/app/heap.ts'
import type { EntryDraft, FeedId, Instant, Schedule } from '../src/model/index.ts'
import type { Net, NewFeed, PollRecord } from '../src/ports/index.ts'
import { commit } from './current-commit.ts'
import { watchTurns } from './event-loop-turns.ts'

keepHeapSmall()
const { defaultConfig, openCrawl } = await import('../src/app/index.ts')
const { address } = await import('../src/model/address.fixture.ts')
const { DAY } = await import('../src/model/index.ts')
const { goalReport } = await import('../src/views/index.ts')

const { values } = parseArgs({
  options: {
    feeds: { type: 'string', default: '2000' },
    entries: { type: 'string', default: '80000' },
    polls: { type: 'string', default: '100000' },
    large: { type: 'string', default: '20000' }, // what one feed may add in a day
    keep: { type: 'string' },
    searchable: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    blame: { type: 'boolean', default: false },
  },
})
const FEEDS = Number(values.feeds)
const ENTRIES = Number(values.entries)
const POLLS = Number(values.polls)
const LARGE = Number(values.large)
const PUSHED = 5000
const ADDRESSES = 20_000
const PORTION = 500
const NOW = Date.now()
const goalTerms = { now: Date.now(), limits: { minMs: 60_000, maxMs: 30 * DAY }, budget: 'auto' as const }

if (values.keep) mkdirSync(values.keep, { recursive: true })
const folder = mkdtempSync(join(values.keep ?? tmpdir(), 'freshet-stalls-'))
const file = join(folder, 'store.db')
const storePath = (name: 'filled' | 'searchable') => values.keep && join(values.keep, `${name}.db`)
const begunWith = [values.searchable && storePath('searchable'), storePath('filled')].find(
  (one) => one && existsSync(one),
)
if (begunWith) copyFileSync(begunWith, file)
const signal = AbortSignal.timeout(3_600_000)
const documents = new Map<string, Buffer>()
const crawl = await openCrawl(
  {
    ...defaultConfig(),
    store: file,
    hostGap: 0,
    articles: 'always',
    publicUrl: 'https://reader.example/',
  },
  { net: netOf(documents) },
)
const { store, crawler } = crawl
crawler.onEvent((event) => {
  if (event.kind === 'internal-error') throw event.error
})
console.log(`${FEEDS} feeds, ${ENTRIES + LARGE} entries, ${POLLS} polls, commit ${commit()}, node ${process.version}\n`)
console.log(line('', 'took ms', 'CPU ms', 'turn: wall', 'CPU', 'garbage', 'too long', 'most garbage'))
try {
  await report('nothing', () => sleep(1000))
  documents.set('https://first.example/feed', Buffer.from(feedOf(1, 'https://first.example')))
  if (begunWith === undefined) {
    await readAll('https://first.example/feed') // loads language detection once
    await fill()
  }
  await keep('filled')
  if (begunWith === undefined || begunWith !== storePath('searchable')) {
    await report('made searchable, and compared', () => crawler.runOnce(signal))
    await keep('searchable')
  }
  documents.set('https://warm.example/feed', Buffer.from(feedOf(20, 'https://warm.example')))
  await readAll('https://warm.example/feed') // warm-up; bench/cold-start.ts measures the first time
  await report('statistics', () => store.statistics(0))
  await report('goals', () => goalReport({ pollMarket: crawl.pollMarket, catalogue: crawl.catalogue }, goalTerms))
  const large = (await store.feedAt(`https://site-${FEEDS}.example/feed`))!
  await report(`a feed of ${LARGE} entries removed`, async () => {
    await crawler.remove(large)
    await crawler.runOnce(signal)
  })
  for (const [name, word] of [
    ['noise', createNoise()],
    ['one word', () => 'goose'],
  ] as const) {
    const host = `https://${name.replace(' ', '-')}.example`
    documents.set(`${host}/feed`, Buffer.from(feedOf(1, host)))
    documents.set(`${host}/0`, Buffer.from(pageOf(word)))
    await report(`a page of 5 MB, ${name}`, () => readAll(`${host}/feed`))
  }
  documents.set('https://flood.example/feed', Buffer.from(feedOf(8000, 'https://flood.example')))
  await report('a document of 8,000 entries', () => readAll('https://flood.example/feed'))
  documents.set('https://pushed.example/feed', Buffer.from(feedOf(1, 'https://pushed.example')))
  await readAll('https://pushed.example/feed')
  const pushed = Buffer.from(feedOf(PUSHED, 'https://pushed.example'))
  await report(`a push of ${PUSHED} entries`, () => push('https://pushed.example/feed', pushed))
  const addresses = Array.from({ length: ADDRESSES }, (_, i) => ({
    url: `https://new-${i}.example/feed`,
    kind: 'feed' as const,
  }))
  await report(`${ADDRESSES} addresses added`, () => crawler.subscribe(addresses))
} finally {
  await crawl.close(0)
  rmSync(folder, { recursive: true })
}

/** The store as it is now, for other runs. */
async function keep(name: 'filled' | 'searchable'): Promise<void> {
  const to = storePath(name)
  if (!to || existsSync(to)) return
  const db = new Database(file, { readonly: true })
  await db.backup(`${to}.part`)
  db.close()
  renameSync(`${to}.part`, to)
}

async function report(what: string, work: () => Promise<unknown>): Promise<void> {
  if (!what.includes(values.only)) return
  const turns = await watchTurns(work, values.blame)
  const { tookMs, cpuMs, wallMs, turnMs, garbageMs, long, longestGarbage } = turns
  const figures = [tookMs, cpuMs, wallMs, turnMs, garbageMs, long].map((figure) => figure.toFixed(0))
  console.log(line(what, ...figures, longestGarbage))
  for (const blamed of turns.blame) console.log(blamed)
}

function line(what: string, ...cells: string[]): string {
  return what.padEnd(34) + cells.map((cell) => cell.padStart(11)).join('')
}

async function readAll(url: string): Promise<void> {
  await crawler.subscribe([{ url, kind: 'feed' }])
  await crawler.runOnce(signal)
}

/** Like a hub that we are subscribed to. */
async function push(url: string, body: Buffer): Promise<void> {
  const [token, secret] = ['token', 'secret']
  const subscription = { hub: address('https://hub.example/'), topic: address(url), token, secret }
  const standing = { state: 'active', dueAt: NOW + DAY, leaseUntil: NOW + DAY, failures: 0, pushes: 0 } as const
  await store.recordHubSubscriptions([{ feedId: (await store.feedAt(url))!, ...subscription, ...standing }])
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'x-hub-signature': `sha256=${signature}`, 'content-type': 'application/rss+xml' }
  const looked = Promise.withResolvers<void>()
  crawler.onEvent(({ kind }) => kind === 'pushed' && looked.resolve())
  const { status } = await crawler.pushReceiver!.receive(token, { headers, chunks: () => Readable.from([body]) })
  if (status !== 202) throw new Error(`the push was answered ${status}`)
  await looked.promise
  await crawler.runOnce(signal)
}

/** The last feed is the largest. */
async function fill(): Promise<void> {
  const ids: FeedId[] = []
  for (let i = 0; i <= FEEDS; i += PORTION) {
    const feeds = Array.from({ length: Math.min(PORTION, FEEDS + 1 - i) }, (_, j) => newFeed(i + j))
    ids.push(...(await store.addFeeds(feeds)).map(({ id }) => id))
  }
  const large = ids.pop()!
  for (let i = 0; i < LARGE; i += PORTION) await store.recordPolls([recordOf(large, NOW - LARGE + i, PORTION)])
  const each = Math.round(ENTRIES / FEEDS)
  const rounds = Math.round(POLLS / FEEDS)
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < ids.length; i += PORTION) {
      const fresh = round === 0 ? each : 0
      await store.recordPolls(ids.slice(i, i + PORTION).map((id) => recordOf(id, NOW - POLLS + round * FEEDS, fresh)))
    }
}

function newFeed(i: number): NewFeed {
  return {
    feed: {
      url: address(`https://site-${i}.example/feed`),
      root: `site-${i}.example`,
      title: `The daily something of town number ${i}`,
      validators: {},
      subscribers: 1,
      state: 'active',
      addedAt: NOW - DAY,
      articles: 'never',
    },
    schedule: newSchedule(),
  }
}

function newSchedule(): Schedule {
  return { strategy: 'fixed:1h', memory: new Uint8Array(0), dueAt: NOW + DAY, failures: 0 }
}

function recordOf(feedId: FeedId, at: Instant, entries: number): PollRecord {
  const fresh = Array.from({ length: entries }, (_, i): EntryDraft => {
    const key = `https://site-${feedId}.example/${at}/${i}`
    const words = Array.from({ length: 40 }, (_, j) => `word${(feedId * 7919 + at + i * 31 + j * j) % 5000}`)
    return { key, url: key, title: words.slice(0, 9).join(' '), summary: words.join(' '), publishedAt: at - i }
  })
  const result = { kind: 'read', fresh: entries, changed: 0, window: entries, gap: false } as const
  return {
    poll: { feedId, at, tookMs: 87, bytes: 20_480, conditional: true, result },
    schedule: { ...newSchedule(), polledAt: at, succeededAt: at },
    fresh,
    changed: [],
  }
}

function feedOf(entries: number, host: string): string {
  const items = Array.from({ length: entries }, (_, i) => {
    const text = `What happened to goose ${i} in the night, told by those who saw it from the weir near the mill ${i * 7}.`
    return `<item><guid>${i}</guid><title>Goose no. ${i}</title><link>${host}/${i}</link><description>${text}</description></item>`
  })
  return `<rss version="2.0"><channel><title>Geese</title>${items.join('')}</channel></rss>`
}

function pageOf(word: () => string): string {
  const paragraphs: string[] = []
  for (let length = 0; length < 4_900_000; length += paragraphs.at(-1)!.length)
    paragraphs.push(`<p>${Array.from({ length: 60 }, word).join(' ')}.</p>\n`)
  return `<!doctype html><title>Goose</title><article><h1>Goose</h1>${paragraphs.join('')}</article>`
}

function createNoise(): () => string {
  return () => Math.random().toString(36).slice(2)
}

/** An unknown user has nothing. */
function netOf(bodies: ReadonlyMap<string, Buffer>): Net {
  const answer = async (question: string) => {
    const url = address(question)
    const body = bodies.get(url) ?? Buffer.alloc(0)
    const type = url.endsWith('/feed') ? 'application/rss+xml' : 'text/html'
    const headers = { 'content-type': type }
    const status = bodies.has(url) ? 200 : 404
    return { ok: true as const, status, url, redirects: [], headers, body: Buffer.from(body), wireBytes: body.length }
  }
  return { get: ({ url }) => answer(url), post: ({ url }) => answer(url), close: async () => {} }
}
