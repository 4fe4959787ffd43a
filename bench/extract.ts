/**
 * Speed of article extraction, compared with Readability and defuddle on the same pages in the same run, both with linkedom as DOM: `node
 * bench/extract.ts [--pages 20]`. The pages are generated after the shape of real ones: menus, scripts and styles, an article, lists of
 * other articles, comments, a footer. Warm: each extractor gets the same CPU time to read them repeatedly, and its fastest round counts,
 * because the first ones warm up and the machine may be busy. Cold: the first 180 pages that a fresh process reads, each once, with code
 * that is still being compiled; the median of several processes. Beside each figure is its ratio to ours.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { commit } from './current-commit.ts'

interface Reader {
  name: string
  /** Returns the length of the text, so that no work can be optimized away. */
  read(html: string, url: string): number | Promise<number>
}

interface Shape {
  name: string
  paragraphs: number
  /** Links in menus and footers. */
  links: number
  teasers: number
  comments: number
  scriptBytes: number
}

/** By extractor and page shape. */
const CPU_MS = 4_000
const SHAPES: Shape[] = [
  { name: 'a note in a blog', paragraphs: 8, links: 30, teasers: 5, comments: 3, scriptBytes: 4_000 },
  { name: 'an article in a paper', paragraphs: 25, links: 250, teasers: 40, comments: 15, scriptBytes: 60_000 },
  { name: 'a long read', paragraphs: 150, links: 400, teasers: 80, comments: 120, scriptBytes: 150_000 },
]

const SLOWEST = 'defuddle + linkedom'

/** How to load each extractor; a process loads only what it measures. */
const READERS: [string, () => Promise<Reader['read']>][] = [
  [
    'freshet',
    async () => {
      const { extractArticle } = await import('../src/articles/index.ts')
      return (html, url) => extractArticle(html, url).text.length
    },
  ],
  [
    'Readability + linkedom',
    async () => {
      const { parseHTML } = await import('linkedom')
      const { Readability } = await import('@mozilla/readability')
      return (html) => new Readability(parseHTML(html).document as never).parse()?.textContent?.length ?? 0
    },
  ],
  [
    SLOWEST,
    async () => {
      const { parseHTML } = await import('linkedom')
      const { Defuddle } = await import('defuddle/node')
      return async (html, url) => (await Defuddle(parseHTML(html).document as never, url)).content.length
    },
  ],
]

const WORDS = (
  'river bridge council winter market letter window street morning engine harbour school garden teacher answer question ' +
  'mountain village kitchen paper summer captain neighbour theatre station evening picture history factory brother ' +
  'said went found asked wrote built carried opened closed remembered watched painted counted repaired measured sold ' +
  'old quiet narrow broken early late wooden yellow heavy empty distant careful famous small northern other'
).split(' ')

const COLD_PAGES = 180
const COLD_RUNS = 3

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '20' }, cold: { type: 'string' }, shape: { type: 'string' } },
})
if (values.cold === undefined) await main(Number(values.pages))
else console.log(await firstPages(values.cold, values.shape))

async function main(count: number): Promise<void> {
  const readers = await readersFound()
  console.log(`node ${process.version}, commit ${commit()}, ${count} pages of each shape`)
  for (const shape of SHAPES) {
    const pages = Array.from({ length: count }, (_, i) => makePage(shape, i))
    const kilobytes = pages.reduce((sum, page) => sum + page.length, 0) / count / 1000
    const warm: number[] = []
    for (const reader of readers) warm.push((await fastestRound(reader, pages)) / count)
    const cold = coldRuns(readers, shape)
    console.log(
      `\n${`${shape.name}, ${kilobytes.toFixed(0)} kB`.padEnd(26)} ${'warm'.padStart(12)} ${'cold'.padStart(20)}`,
    )
    for (const [i, { name }] of readers.entries()) {
      console.log(`  ${name.padEnd(24)} ${ratioText(warm[i], warm[0])} ${ratioText(cold[i], cold[0])}`)
    }
  }
}

function ratioText(ms: number | undefined, own: number | undefined): string {
  if (ms === undefined || own === undefined) return ''.padStart(20)
  return `${`${ms.toFixed(2)} ms`.padStart(12)} ${(ms === own ? '' : `${(ms / own).toFixed(1)} x`).padStart(7)}`
}

/** Each extractor in processes of its own, alternating, so that a busy minute affects all of them; the slowest is left out. */
function coldRuns(readers: readonly Reader[], shape: Shape): number[] {
  const runs = readers.filter(({ name }) => name !== SLOWEST).map((reader) => ({ reader, all: [] as number[] }))
  for (let i = 0; i < COLD_RUNS; i++) for (const { reader, all } of runs) all.push(coldRun(reader, shape))
  return runs.map(({ all }) => all.sort((a, b) => a - b)[COLD_RUNS >> 1]!)
}

function coldRun({ name }: Reader, shape: Shape): number {
  const words = [process.argv[1]!, '--cold', name, '--shape', shape.name]
  return Number(spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout)
}

/** The time for a page in a process that has read none before. */
async function firstPages(name: string, shapeName: string | undefined): Promise<number> {
  const reader = (await readersFound(name)).find((other) => other.name === name)
  const shape = SHAPES.find((other) => other.name === shapeName)
  if (!reader || !shape) throw new Error(`no reader is called ${name}, or no shape ${shapeName}`)
  const pages = Array.from({ length: COLD_PAGES }, (_, i) => makePage(shape, i))
  return (await cpuMs(reader, pages)) / COLD_PAGES
}

async function fastestRound(reader: Reader, pages: readonly string[]): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let spent = 0; spent < CPU_MS; ) {
    const ms = await cpuMs(reader, pages)
    best = Math.min(best, ms)
    spent += ms
  }
  return best
}

async function cpuMs({ name, read }: Reader, pages: readonly string[]): Promise<number> {
  const before = process.cpuUsage()
  for (const [i, page] of pages.entries()) {
    if ((await read(page, `https://news.example/story-${i}`)) < 500)
      throw new Error(`${name} found no text on page ${i}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The installed extractors, or only the requested one. For missing ones prints how to install them. */
async function readersFound(only?: string): Promise<Reader[]> {
  const found: Reader[] = []
  try {
    for (const [name, load] of READERS) {
      if (only === undefined || only === name) found.push({ name, read: await load() })
    }
  } catch (error) {
    console.log(`some readers are missing (${error instanceof Error ? error.message : error})`)
    console.log('hint: npm install --no-save linkedom@0.18.12 @mozilla/readability defuddle')
  }
  return found
}

function makePage(shape: Shape, seed: number): string {
  let state = seed + 1
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const words = (count: number) => Array.from({ length: count }, () => WORDS[chance(WORDS.length)]).join(' ')
  const sentence = () => {
    const text = `the ${words(6 + chance(6))}, and the ${words(4 + chance(8))}.`
    return text[0]!.toUpperCase() + text.slice(1)
  }
  const paragraph = () => Array.from({ length: 2 + chance(4) }, sentence).join(' ')
  const link = (text: string) =>
    `<a class="link link--${chance(9)}" data-track="${words(1)}" href="/${words(3).replaceAll(' ', '-')}">${text}</a>`
  const list = (count: number, item: () => string) => Array.from({ length: count }, item).join('\n')
  const title = words(7)
  const script = `<script>${`var ${words(1)} = "${words(6)}"; `.repeat(Math.ceil(shape.scriptBytes / 60))}</script>`
  const data = JSON.stringify({
    '@type': 'NewsArticle',
    headline: title,
    datePublished: '2024-05-31T08:00:00Z',
    author: { name: 'Ada Byron' },
  })

  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | The Paper</title>
<meta property="og:title" content="${title}"><meta property="og:type" content="article"><meta name="description" content="${sentence()}">
<link rel="canonical" href="https://news.example/story-${seed}"><script type="application/ld+json">${data}</script>${script}
<style>${'.link { color: black; padding: 0 } '.repeat(100)}</style></head><body>
<header class="header"><nav class="menu"><ul>${list(shape.links, () => `<li class="menu__item"><span>${link(words(2))}</span></li>`)}</ul></nav></header>
<main><article class="article"><h1>${title}</h1><div class="article__byline">By ${link('Ada Byron')} <time datetime="2024-05-31">31 May</time></div>
<div class="article__body">${list(shape.paragraphs, () => {
    const aside =
      chance(8) === 0
        ? `<aside class="promo"><h4>More</h4><ul>${list(3, () => `<li>${link(words(6))}</li>`)}</ul></aside>`
        : ''
    return `<p class="text">${paragraph()} <em>${words(2)}</em> ${link(words(3))} ${paragraph()}</p>${aside}`
  })}</div></article>
<section class="more">${list(shape.teasers, () => `<div class="card"><div class="card__in"><h3>${link(words(7))}</h3><p>${sentence()}</p></div></div>`)}</section>
<section id="comments">${list(shape.comments, () => `<div class="comment"><b>${words(1)}</b><p>${paragraph()}</p></div>`)}</section></main>
<footer class="footer"><ul>${list(shape.links / 2, () => `<li>${link(words(2))}</li>`)}</ul><p>${sentence()}</p></footer></body></html>`
}
