/**
 * Speed of feed parsing, compared with other parsers on the same machine in the same run: `node bench/parse.ts [--rounds 6]`. From bytes to
 * entries, per second of CPU time of the whole process (including compilation and garbage collection in other threads), because wall-clock
 * time says little on a busy machine.
 *
 * Small feeds as the web has them (`parse/small-feeds.ts`), ninety in XML, no two alike: *warm* is a process that has read them before,
 * *cold* one that has just started and reads each of them once, like a crawler does; starting and loading the parser are not counted. Cold
 * figures are the median of nine processes; `first ten` are the first of the ninety. Beside each figure is how many times as fast we are.
 * `thin layer` is htmlparser2 with as little code on top as possible, five fields per item (`parse/minimal-parser.ts`); `same five` is our
 * own walk with just those fields (`parse/five-fields.ts`), and the last columns refer to it: two parsers doing the same work, whose
 * results are compared first. JSON Feeds are measured separately, because no XML parser reads them. Then four feeds of each size up to
 * large ones, warm: escaped HTML, CDATA, XHTML, and short notes. The parsers alternate, and the best of the warm rounds counts.
 */
import { deepStrictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { commit } from './current-commit.ts'
import { makeSmallFeeds } from './parse/small-feeds.ts'

type Parse = (bytes: Buffer) => unknown

interface Speed {
  megabytes: number
  feeds: number
}

const SIZES = { '6 KB': 6_000, '49 KB': 49_000, '100 KB': 100_000, '190 KB': 190_000, '1.5 MB': 1_500_000 }
const SMALL_OF_EACH_KIND = 10
const COLD_PROCESSES = 9
const CPU_MS_PER_TURN = 150
const WARM_UP_CPU_MS = 1_500
const REST_MS = 300
const URL = 'https://site.example/feed'

const LOADERS: Record<string, () => Promise<Parse>> = {
  async freshet() {
    const { parseFeed } = await import('../src/feeds/index.ts')
    return (bytes) => parseFeed(bytes, { url: URL })
  },
  async 'thin layer'() {
    const { parseThinly } = await import('./parse/minimal-parser.ts')
    return parseThinly
  },
  async 'same five'() {
    const { parseSameFive } = await import('./parse/five-fields.ts')
    return parseSameFive
  },
  async htmlparser2() {
    const { parseFeed } = await import('htmlparser2')
    return (bytes) => parseFeed(bytes.toString())
  },
  async 'JSON.parse'() {
    return (bytes) => JSON.parse(bytes.toString())
  },
  async feedsmith() {
    const feedsmith = await import('feedsmith')
    return (bytes) => feedsmith.parseFeed(bytes.toString())
  },
  async 'rss-parser'() {
    const parser = new (await import('rss-parser')).default()
    return (bytes) => parser.parseString(bytes.toString())
  },
}

/** Parsers for small feeds: in XML, and in JSON. */
const OF_XML = ['freshet', 'same five', 'thin layer', 'htmlparser2', 'feedsmith']
const OF_JSON = ['freshet', 'JSON.parse', 'feedsmith']
/** Parsers for feeds of any size. */
const OF_ALL_SIZES = ['freshet', 'thin layer', 'htmlparser2', 'feedsmith', 'rss-parser']
const JSON_FEED = 'JSON Feed'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '6' }, cold: { type: 'string' } } })
if (values.cold !== undefined) console.log((await readCold(values.cold)).join(' '))
else await compare(Number(values.rounds))

async function compare(rounds: number): Promise<void> {
  console.log(`commit ${commit()}, node ${process.version}, ${cpus()[0]?.model.trim()}`)
  const parsers = await loadParsers()
  const those = (names: string[]) => new Map([...parsers].filter(([name]) => names.includes(name)))
  const small = smallFeeds()
  const [ours, theirs] = [parsers.get('same five'), parsers.get('thin layer')]
  if (ours && theirs) for (const bytes of small) deepStrictEqual(ours(bytes), theirs(bytes))
  reportSmall(small, await race(those(OF_XML), small, rounds), raceCold(OF_XML.filter((name) => parsers.has(name))))
  report(JSON_FEED, await race(those(OF_JSON), smallFeeds(true), rounds))
  const ofAllSizes = those(OF_ALL_SIZES)
  for (const [name, length] of Object.entries(SIZES)) report(name, await race(ofAllSizes, makeFeeds(length), rounds))
}

function smallFeeds(inJson = false): Buffer[] {
  return makeSmallFeeds(SMALL_OF_EACH_KIND)
    .filter(({ kind }) => (kind === JSON_FEED) === inJson)
    .map(({ bytes }) => bytes)
}

async function loadParsers(): Promise<Map<string, Parse>> {
  const found = new Map<string, Parse>()
  for (const [name, load] of Object.entries(LOADERS)) {
    const parse = await optional(name, load)
    if (parse) found.set(name, parse)
  }
  return found
}

/** Megabytes per second in a process that has just started: the first ten feeds, and all. */
async function readCold(name: string): Promise<[number, number]> {
  const feeds = smallFeeds()
  const parse = await LOADERS[name]!()
  // Background work of loading is not counted.
  await setTimeout(REST_MS)
  const speeds: number[] = []
  const before = process.cpuUsage()
  let read = 0
  for (const [index, bytes] of feeds.entries()) {
    const result = parse(bytes)
    if (result instanceof Promise) await result
    read += bytes.length
    const { user, system } = process.cpuUsage(before)
    if (index === 9 || index === feeds.length - 1) speeds.push(read / (user + system))
  }
  return [speeds[0]!, speeds[1]!]
}

function raceCold(names: string[]): Map<string, [number, number]> {
  const runs = new Map(names.map((name): [string, [number, number][]] => [name, []]))
  for (let run = 0; run < COLD_PROCESSES; run++) {
    for (const name of names) {
      const { stdout } = spawnSync(process.execPath, [process.argv[1]!, '--cold', name], { encoding: 'utf8' })
      runs.get(name)!.push(stdout.trim().split(' ').map(Number) as [number, number])
    }
  }
  return new Map(
    [...runs].map(([name, of]) => [name, [middle(of.map((run) => run[0])), middle(of.map((run) => run[1]))]]),
  )
}

function middle(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

function reportSmall(feeds: Buffer[], warm: Map<string, Speed>, cold: Map<string, [number, number]>): void {
  const kilobytes = feeds.reduce((sum, { length }) => sum + length, 0) / feeds.length / 1000
  const columns = ['warm', 'cold', 'first ten', 'we are', 'cold', 'same five', 'cold']
  console.log(
    `\n${`real, ${kilobytes.toFixed(0)} KB`.padEnd(16)}${columns.map((title) => title.padStart(10)).join('')}   MB/s`,
  )
  const timesAsFast = (ours: string, name: string) => {
    if (ours === name || !warm.has(ours)) return ['', '']
    const ratios = [warm.get(ours)!.megabytes / warm.get(name)!.megabytes, cold.get(ours)![1] / cold.get(name)![1]]
    return ratios.map((ratio) => `${ratio.toFixed(1)}x`)
  }
  for (const [name, { megabytes }] of warm) {
    const [first, all] = cold.get(name)!
    const speeds = [megabytes, all, first].map((speed) => speed.toFixed(1))
    const cells = [...speeds, ...timesAsFast('freshet', name), ...timesAsFast('same five', name)]
    console.log(name.padEnd(16) + cells.map((cell) => cell.padStart(10)).join(''))
  }
}

async function optional<T>(name: string, load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load()
  } catch {
    console.log(`${name} is not installed and takes no part`)
    return undefined
  }
}

async function race(parsers: Map<string, Parse>, feeds: Buffer[], rounds: number): Promise<Map<string, Speed>> {
  const best = new Map<string, Speed>()
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, parse] of parsers) {
      const speed = await turn(feeds, parse, round === 0 ? WARM_UP_CPU_MS : CPU_MS_PER_TURN)
      if (round > 0 && speed.feeds > (best.get(name)?.feeds ?? 0)) best.set(name, speed)
    }
  }
  return best
}

async function turn(feeds: Buffer[], parse: Parse, cpuMs: number): Promise<Speed> {
  const before = process.cpuUsage()
  let bytes = 0
  let count = 0
  let seconds = 0
  while (seconds * 1000 < cpuMs) {
    for (const feed of feeds) {
      const result = parse(feed)
      if (result instanceof Promise) await result
      bytes += feed.length
      count++
    }
    const { user, system } = process.cpuUsage(before)
    seconds = (user + system) / 1e6
  }
  return { megabytes: bytes / 1e6 / seconds, feeds: count / seconds }
}

function report(size: string, speeds: Map<string, Speed>): void {
  const ours = speeds.get('freshet')!
  console.log(`\n${size.padEnd(16)}${'MB/s'.padStart(9)}${'feeds/s'.padStart(10)}${'we are'.padStart(10)}`)
  for (const [name, { megabytes, feeds }] of speeds) {
    const ratio = name === 'freshet' ? '' : `${(ours.megabytes / megabytes).toFixed(1)}x`
    console.log(
      `${name.padEnd(16)}${megabytes.toFixed(1).padStart(9)}${feeds.toFixed(0).padStart(10)}${ratio.padStart(10)}`,
    )
  }
}

function makeFeeds(length: number): Buffer[] {
  const makers = [escapedRss, cdataRss, xhtmlAtom, notes]
  return makers.map((make) => {
    const one = make(1).length
    const count = Math.max(1, Math.round((length - one) / (make(2).length - one)) + 1)
    return Buffer.from(make(count))
  })
}

function paragraphs(story: number): string {
  const paragraph = (index: number) =>
    `<p>In paragraph ${index} of story ${story} the harbour <a href="https://site.example/${story}/${index}?a=1&amp;b=2" ` +
    `title="a page">opens early</a>, the <b>ferry</b> is late &amp; nobody minds: the sun is out. ` +
    `<img src="https://site.example/${story}/${index}.jpg" alt="ferry"/> Later that day it rained, and everybody went home.</p>\n`
  return Array.from({ length: 10 }, (_, index) => paragraph(index)).join('')
}

function escaped(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function rss(items: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<channel><title>Harbour Notes</title><link>https://site.example/</link><description>Ships &amp; tides</description>
<atom:link href="${URL}" rel="self"/><language>en</language><ttl>60</ttl><sy:updatePeriod>hourly</sy:updatePeriod>
${items}</channel></rss>`
}

function rssItem(story: number, content: string): string {
  const day = String((story % 28) + 1).padStart(2, '0')
  return `<item><title>Story ${story}: ferries &amp; tides</title><link>https://site.example/${story}</link>
<dc:creator>Ada Quay</dc:creator><pubDate>Mon, ${day} Jan 2024 08:00:00 +0000</pubDate><category>ferries</category>
<category>tides</category><guid isPermaLink="false">https://site.example/?p=${story}</guid>
<description>What happened in story ${story}, in one sentence.</description>${content}</item>\n`
}

function repeat(count: number, make: (story: number) => string): string {
  return Array.from({ length: count }, (_, story) => make(story)).join('')
}

function escapedRss(count: number): string {
  const item = (story: number) => rssItem(story, `<content:encoded>${escaped(paragraphs(story))}</content:encoded>`)
  return rss(repeat(count, item))
}

function cdataRss(count: number): string {
  const item = (story: number) => rssItem(story, `<content:encoded><![CDATA[${paragraphs(story)}]]></content:encoded>`)
  return rss(repeat(count, item))
}

function notes(count: number): string {
  return rss(repeat(count, (story) => rssItem(story, '')))
}

function xhtmlAtom(count: number): string {
  const entry = (story: number) => `<entry><id>tag:site.example,2024:${story}</id><title>Story ${story}</title>
<link rel="alternate" type="text/html" href="https://site.example/${story}"/><updated>2024-01-01T08:00:00Z</updated>
<published>2024-01-01T08:00:00Z</published><author><name>Ada Quay</name></author><category term="ferries"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${paragraphs(story)}</div></content></entry>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour Notes</title><id>${URL}</id>
<link href="https://site.example/"/><link rel="self" href="${URL}"/><updated>2024-01-01T08:00:00Z</updated>
${repeat(count, entry)}</feed>`
}
