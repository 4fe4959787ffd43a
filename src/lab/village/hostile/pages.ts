/** Sites with normal feeds and articles of the maximum size of a page. */
import { alwaysReply, feed, type HostileSite, reply, type Script } from './site.ts'

const PAGE_BYTES = 4_900_000

export const PAGE_SITES: HostileSite[] = [
  pages('page-of-noise', 'has articles of 5 MB in which no word comes twice', createNoise()),
  pages('page-of-one-word', 'has articles of 5 MB of one word', () => 'goose'),
]

function pages(name: string, behavior: string, nextWord: () => string): HostileSite {
  const [news, page] = [alwaysReply(() => reply(200, feed(3))), alwaysReply(() => pageOf(nextWord))]
  const script: Script = (visit) => {
    if (visit.path === '/feed') return news(visit)
    return visit.path === '/robots.txt' ? reply(404) : page(visit)
  }
  return { name, behavior, expect: 'its feed is read, and nobody waits for its pages', script, polls: ['read 3'] }
}

function pageOf(nextWord: () => string): Uint8Array {
  const paragraphs: string[] = []
  for (let bytes = 0; bytes < PAGE_BYTES; bytes += paragraphs.at(-1)!.length)
    paragraphs.push(`<p>${Array.from({ length: 60 }, nextWord).join(' ')}.</p>\n`)
  const html = `<!doctype html><title>Goose</title><article><h1>Goose</h1>${paragraphs.join('')}</article>`
  return reply(200, html, { 'content-type': 'text/html' })
}

/** Words of five to twelve letters, the same in every run (Marsaglia 2003, xorshift). */
function createNoise(): () => string {
  let state = 2_463_534_242
  const next = (below: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
  return () => Array.from({ length: 5 + next(8) }, () => String.fromCharCode(97 + next(26))).join('')
}
