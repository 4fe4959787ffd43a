/**
 * Disk usage of articles: `node bench/articles.ts [--articles 15000]`. Feeds with entries, article texts and facts, the original pages, and
 * the search index over all of it, in one SQLite file; for comparison, the same pages compressed one by one with gzip (as in the founding
 * documents, 20 GB) and with Zstandard.
 *
 * The pages are generated after 379 real ones of 320 sites that we measured: median 115 kB, mean 175 kB (log-normal); 4.8 kB of text, which
 * Zstandard compresses to 43 %; a page compresses to 18 % alone, and to 3.2 % (5.8 kB) against another page of its site, because only the
 * text, links to other articles, and a few hashes differ. A site has 50 articles on average, few have many (Zipf). 150,000 is what a store
 * holds after 60 days.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { address } from '../src/model/address.fixture.ts'
import type { ArticleFacts, EntryDraft, FeedId, Instant, RawPage, WebAddress } from '../src/model/index.ts'
import type { Search, Store } from '../src/ports/index.ts'
import { openSqliteStore } from '../src/stores/index.ts'
import { commit } from './current-commit.ts'
import { createChance } from './generated-prose.ts'

const START: Instant = 1_700_000_000_000
const HOUR = 3_600_000
const ARTICLES_A_SITE = 50
const ARTICLES_A_POLL = 5
const TARGET_BYTES = 2.1e9 / 150_000
const KNOWN = { names: [], language: 'en', category: 'uncategorized' }
const SAMPLED = 40 // one page in so many is also compressed alone

const chance = createChance(42)
let vocabulary: string[] | undefined
/** Most frequent first: half of all text consists of these. */
const COMMON = (
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you ' +
  'were all her she there would their we him been has when who will no more if out so up said what its about than into them ' +
  'can only other time new some could these two may first then do any like my now over such our man me even most made after ' +
  'also did many off before must well back through years where much your way down should because long each just state people ' +
  'those too mr how little good world make very year still see own work men day get here between both being under three never ' +
  'know same last another while us might great old come since against go came right used take house government city party week ' +
  'president minister country public police company million percent market report study school family water night group court'
).split(' ')
const SYLLABLES = (
  'the of and to in a is for on that by with it as at from an be this or are was but not have had ing er tion ment ' +
  'con pre dis ex com per pro sub ter ver mar lan ston ber field wood ham ton der men sen lor vis gar hol nor wes'
).split(' ')

const { values } = parseArgs({ options: { articles: { type: 'string', default: '15000' } } })
await main(Number(values.articles))

async function main(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-bench-'))
  try {
    const file = join(folder, 'store.db')
    const writing = openSqliteStore({ file, mode: 'write', now: () => START })
    const cpu = process.cpuUsage()
    const alone = await fill(writing.store, writing.search, count)
    const { user, system } = process.cpuUsage(cpu)
    await writing.store.close() // moves the write-ahead log into the file
    const { store } = openSqliteStore({ file, mode: 'read', now: () => START })
    const [counts, usage] = [await store.counts(), await store.diskUsage()]
    console.log(`node ${process.version}, commit ${commit()}, ${count} articles of ${sitesFor(count)} sites`)
    console.log(`pages of ${kb(alone.raw)} in the mean, texts of ${kb(alone.text)}\n`)
    console.log('what              bytes an article   for 150,000')
    const line = (what: string, bytes: number) =>
      console.log(
        `${what.padEnd(20)} ${bytes.toFixed(0).padStart(12)}   ${((bytes * 150_000) / 1e9).toFixed(2).padStart(8)} GB`,
      )
    for (const [what, bytes] of Object.entries(usage)) line(what, bytes / count)
    line('all together', counts.bytes / count)
    line('the target', TARGET_BYTES)
    console.log('\npacked')
    line('texts and facts', counts.articles.textBytes / count)
    line('pages, by patterns', counts.articles.pageBytes / count)
    line('pages, by zstd alone', alone.zstd)
    line('pages, by gzip alone', alone.gzip)
    console.log(`\n${((user + system) / 1000 / count).toFixed(2)} ms of CPU an article, with making it up`)
    if (counts.bytes / count > TARGET_BYTES) process.exitCode = 1
    await store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Alone {
  raw: number
  text: number
  zstd: number
  gzip: number
}

/** Feeds, polls, entries, articles, index, written like the crawl does. Returns the mean size of a page compressed alone. */
async function fill(store: Store, search: Search, count: number): Promise<Alone> {
  const sites = Array.from({ length: sitesFor(count) }, (_, i) => createSite(i))
  const feedIds = await store.addFeeds(sites.map(({ host }) => newFeed(host)))
  const sum = { raw: 0, text: 0, zstd: 0, gzip: 0, sampled: 0 }
  let done = 0
  for (let at = START + 1; done < count; at += 1000) {
    const which = Math.floor(sites.length * chance() ** 2) // few sites have many articles
    const site = sites[which]!
    const made = Array.from({ length: Math.min(ARTICLES_A_POLL, count - done) }, (_, i) =>
      makeArticle(site, done + i, at),
    )
    await recordPoll(store, feedIds[which]!.id, at, made, site.host)
    const latest = await store.entries({ feedId: feedIds[which]!.id, limit: made.length })
    const articles = await store.articlesOfEntries(latest.map(({ id }) => id))
    await store.recordArticles(
      made.map(({ url, facts, text, html, page }) => ({
        id: articles.find((article) => article?.url === url)!.id,
        at: at + 1,
        queueDueAt: at + 1,
        result: { kind: 'read', pageUrl: url, facts, content: { text, html }, page },
      })),
    )
    for (const { page, text } of made) {
      sum.raw += page.body.length
      sum.text += Buffer.byteLength(text)
      if (done++ % SAMPLED !== 0) continue
      sum.sampled++
      sum.zstd += zstdCompressSync(page.body, { params: { [constants.ZSTD_c_compressionLevel]: 6 } }).length
      sum.gzip += gzipSync(page.body).length
    }
    if (done % 2500 < ARTICLES_A_POLL) await index(store, search)
  }
  await index(store, search)
  const { sampled } = sum
  return { raw: sum.raw / count, text: sum.text / count, zstd: sum.zstd / sampled, gzip: sum.gzip / sampled }
}

async function index(store: Store, search: Search): Promise<void> {
  for (;;) {
    const { positions, changes } = await store.unindexed(500)
    if (changes.length === 0) return
    await search.put(
      changes.flatMap(({ id, entry, text = '' }) =>
        entry ? [{ id, feedId: entry.feedId, at: entry.seenAt, title: entry.title, text, ...KNOWN }] : [],
      ),
    )
    await store.markIndexed(positions)
  }
}

interface Made {
  entry: EntryDraft
  url: WebAddress
  facts: ArticleFacts
  text: string
  html: string
  page: RawPage
}

async function recordPoll(store: Store, feedId: FeedId, at: Instant, made: Made[], root: string): Promise<void> {
  await store.recordPolls([
    {
      poll: {
        feedId,
        at,
        tookMs: 120,
        bytes: 20_000,
        conditional: true,
        result: { kind: 'read', fresh: made.length, changed: 0, window: 20, gap: false },
      },
      schedule: {
        strategy: 'fixed:1h',
        memory: Uint8Array.from({ length: 200 }, (_, i) => i),
        dueAt: at + HOUR,
        failures: 0,
        polledAt: at,
        succeededAt: at,
      },
      fresh: made.map(({ entry }) => entry),
      changed: [],
      articles: made.map(({ entry, url }) => ({ key: entry.key, url, root })),
    },
  ])
}

function newFeed(host: string) {
  return {
    feed: {
      url: address(`https://${host}/feed.xml`),
      root: host,
      title: host,
      validators: { etag: '"abc"' },
      subscribers: 1,
      state: 'active' as const,
      addedAt: START,
    },
    schedule: { strategy: 'fixed:1h', memory: new Uint8Array(200), dueAt: START, failures: 0 },
  }
}

interface Site {
  host: string
  /** The parts that all pages of a site share; what differs is inserted between them. */
  template: string[]
}

function createSite(number: number): Site {
  const bytes = Math.min(1_500_000, Math.max(10_000, 115_000 * Math.exp(0.92 * normal())))
  const names = Array.from({ length: 60 }, () => word())
  const pick = () => names[Math.floor(names.length * chance() ** 3)]!
  const piece = (): string => {
    const kind = chance()
    if (kind < 0.5)
      return `<li class="${pick()}__${pick()} ${pick()}"><a href="/${pick()}/${pick()}-${pick()}">${pick()}</a></li>\n`
    if (kind < 0.8) return `function ${pick()}(${pick()},b){return ${pick()}.${pick()}(b)?${pick()}:"${pick()}"}`
    if (kind < 0.96) return `.${pick()}-${pick()}{margin:${Math.floor(40 * chance())}px;color:#${hex(6)}}`
    return `<img data-id="${hex(24)}" src="/static/${hex(10)}.svg">`
  }
  const template: string[] = []
  for (let made = 0; made < bytes; ) {
    let part = ''
    while (part.length < bytes / 40) part += piece()
    template.push(part)
    made += part.length
  }
  return { host: `www.site-${number}.example`, template }
}

function makeArticle({ host, template }: Site, number: number, at: Instant): Made {
  const url = address(`https://${host}/2023/11/${word()}-${word()}-${word()}-${number}`)
  const title = sentence().slice(0, 90)
  const length = 3500 * Math.exp(0.8 * normal())
  const paragraphs: string[] = []
  for (let made = 0; made < length; ) {
    const paragraph = Array.from({ length: 3 + Math.floor(3 * chance()) }, sentence).join(' ')
    paragraphs.push(paragraph)
    made += paragraph.length
  }
  const text = paragraphs.join('\n\n')
  const html = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  const size = template.reduce((sum, part) => sum + part.length, 0)
  const own = [
    `<title>${title}</title><meta property="og:title" content="${title}"><script type="application/ld+json">{"articleBody":${JSON.stringify(text)}}</script>`,
    `<article><h1>${title}</h1>${html}</article>`,
    Array.from(
      { length: 15 },
      () => `<a href="/2023/11/${word()}-${word()}-${hex(6)}">${sentence().slice(0, 60)}</a>`,
    ).join('\n'),
  ]
  const body = template.map((part, i) => `${part}<i id="${hex(Math.round(size / 2600))}"></i>${own[i] ?? ''}`).join('')
  const summary = paragraphs[0]!.slice(0, 300)
  return {
    entry: { key: url, url, title, summary, author: 'A. Author', publishedAt: at - HOUR },
    url,
    facts: {
      title,
      authors: ['A. Author'],
      published: { at: at - HOUR, dateOnly: false, from: 'json-ld', trust: 0.95 },
      date: { at: at - HOUR, from: 'feed', trust: 0.99 },
      language: 'en',
      category: 'politics',
      image: `https://${host}/images/${hex(20)}.jpg`,
      siteName: host,
      description: summary.slice(0, 160),
      words: Math.round(text.length / 6),
    },
    text,
    html,
    page: {
      url,
      at,
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', server: 'nginx', date: new Date(at).toUTCString() },
      body: Buffer.from(body),
    },
  }
}

// Words made of syllables, distributed by Zipf's law, so that texts compress and fill an index like those of a language.

function sentence(): string {
  const words = Array.from({ length: 8 + Math.floor(14 * chance()) }, word)
  return `${words[0]!.charAt(0).toUpperCase()}${words.join(' ').slice(1)}.`
}

function word(): string {
  vocabulary ??= Array.from({ length: 30_000 }, (_, i) => {
    const common = COMMON[i]
    if (common) return common
    const syllables = i < 3000 ? 2 : 3
    return Array.from({ length: syllables }, () => SYLLABLES[Math.floor(SYLLABLES.length * chance())]).join('')
  })
  return vocabulary[Math.floor(Math.exp(Math.log(vocabulary.length) * chance())) - 1] ?? 'and'
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(chance() || 1e-9)) * Math.cos(2 * Math.PI * chance())
}

function hex(length: number): string {
  let text = ''
  while (text.length < length) text += Math.floor(2 ** 32 * chance()).toString(16)
  return text.slice(0, length)
}

function sitesFor(count: number): number {
  return Math.ceil(count / ARTICLES_A_SITE)
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
