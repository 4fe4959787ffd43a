/** Lists of saved pages: CSV with a header, and the bookmark files of browsers, which Feedly exports as HTML. All pages are starred. */
import { decodeEntities } from '../../html/index.ts'
import { instantOf } from './json-values.ts'
import type { ReaderDataCollector } from './reader-data.ts'

const MAX_COLUMNS = 100
const NAMES = {
  url: ['url', 'link', 'article url', 'address', 'href'],
  title: ['title', 'article title', 'name', 'headline'],
  date: ['published', 'published date', 'date', 'date published', 'created', 'saved', 'time_added'],
  feedUrl: ['feed url', 'feed_url', 'feedurl', 'source url'],
  feedTitle: ['source', 'feed', 'feed title', 'publisher', 'feed_title'],
  author: ['author'],
}

/** The position of each column; undefined if the first line is no header. */
function columnsOf(header: string[]): Record<keyof typeof NAMES, number> | undefined {
  const names = header.map((name) => name.trim().toLowerCase())
  const at = (known: string[]) => names.findIndex((name) => known.includes(name))
  const columns = {
    url: at(NAMES.url),
    title: at(NAMES.title),
    date: at(NAMES.date),
    feedUrl: at(NAMES.feedUrl),
    feedTitle: at(NAMES.feedTitle),
    author: at(NAMES.author),
  }
  return columns.url < 0 || header.length < 2 ? undefined : columns
}

/** False if the text is no CSV with a column for the address. */
export function* collectCsv(text: string, collector: ReaderDataCollector): Generator<void, boolean> {
  const end = text.search(/[\r\n]/)
  const header = end < 0 ? text : text.slice(0, end)
  if (header.length > MAX_HEADER) return false
  const separator = ['\t', ';', ','].find((one) => header.includes(one)) ?? ','
  const rows = rowsOf(text, separator)
  const columns = columnsOf(rows.next().value ?? [])
  if (!columns) return false
  for (const row of rows) {
    yield
    if (row.length < 2) continue
    const cell = (name: keyof typeof NAMES) => (columns[name] < 0 ? undefined : row[columns[name]])
    collector.addEntry({
      url: cell('url'),
      title: cell('title'),
      publishedAt: instantOf(cell('date')),
      feedUrl: cell('feedUrl'),
      feedTitle: cell('feedTitle'),
      author: cell('author'),
      starred: true,
    })
  }
  return true
}

const MAX_HEADER = 2000

/** RFC 4180: cells may be quoted, with doubled quotes and line breaks inside. */
function* rowsOf(text: string, separator: string): Generator<string[], undefined> {
  const next = new RegExp(`[${separator}\\r\\n]`, 'g')
  let row: string[] = []
  for (let at = 0; at <= text.length; ) {
    let cell: string
    if (text[at] === '"') {
      let close = at + 1
      for (;;) {
        close = text.indexOf('"', close)
        if (close < 0 || text[close + 1] !== '"') break
        close += 2
      }
      if (close < 0) close = text.length
      cell = text.slice(at + 1, close).replaceAll('""', '"')
      at = close + 1
    } else cell = ''
    next.lastIndex = at
    const end = next.exec(text)?.index ?? text.length
    if (row.length < MAX_COLUMNS) row.push(cell + text.slice(at, end))
    at = end + 1
    if (text[end] === separator) continue
    if (row.length > 1 || row[0] !== '') yield row
    row = []
  }
  if (row.length > 0) yield row
  return undefined
}

export function isBookmarkFile(text: string): boolean {
  return /^\s*<!doctype\s+netscape-bookmark-file/i.test(text.slice(0, 1000))
}

/** The links of a bookmark file. */
export function* collectBookmarks(text: string, collector: ReaderDataCollector): Generator<void, void> {
  for (let at = nextLink(text, 0); at >= 0; ) {
    yield
    const end = nextLink(text, at + 2)
    const link = text.slice(at, Math.min(end < 0 ? text.length : end, at + MAX_LINK))
    const open = link.indexOf('>')
    if (open >= 0) {
      const [tag, words] = [link.slice(0, open), link.slice(open + 1)]
      const url = attribute(tag, 'href')
      const title = decodeEntities(words.split('<', 1)[0] ?? '')
      collector.addEntry({
        url: url && decodeEntities(url),
        title,
        publishedAt: instantOf(attribute(tag, 'add_date')),
        starred: true,
      })
    }
    at = end
  }
}

const MAX_LINK = 5000

function nextLink(text: string, from: number): number {
  const link = /<a\s/gi
  link.lastIndex = from
  return link.exec(text)?.index ?? -1
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)
}
