/**
 * The article export of Tiny Tiny RSS: `<articles schema-version="…">` with one `<article>` per starred or archived article, whose fields
 * are CDATA sections. Read with `indexOf`, in linear time: there is no other markup in it.
 */
import { instantOf, type JsonObject } from './json-values.ts'
import type { ReaderDataCollector } from './reader-data.ts'

export function isTtRssExport(text: string): boolean {
  return /<articles\s[^>]{0,200}schema-version\s*=/i.test(text.slice(0, 2000))
}

const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const ARTICLE = '<article>'
const ARTICLE_END = '</article>'

export function* collectTtRssArticles(text: string, collector: ReaderDataCollector): Generator<void, void> {
  for (let at = text.indexOf(ARTICLE); at >= 0; at = text.indexOf(ARTICLE, at)) {
    yield
    const { fields, end } = readFields(text, at + ARTICLE.length)
    at = end
    const textOf = (name: string) => fields.get(name) || undefined
    collector.addEntry({
      feedUrl: textOf('feed_url'),
      feedTitle: textOf('feed_title'),
      url: textOf('link'),
      guid: textOf('guid'),
      title: textOf('title'),
      publishedAt: instantOf(textOf('updated')),
      content: textOf('content'),
      starred: isTrue(textOf('marked')),
      read: true, // it exports no read state, and imports everything as read
      labels: labelsIn(textOf('label_cache')),
    })
  }
}

/** The CDATA sections of one article, by element; `]]>` in a text is split over two sections. */
function readFields(text: string, from: number): { fields: Map<string, string>; end: number } {
  const fields = new Map<string, string>()
  const tag = /<(\/?)([\w-]{1,50})>/y
  for (let at = from; ; ) {
    const open = text.indexOf('<', at)
    if (open < 0) return { fields, end: text.length }
    if (text.startsWith(ARTICLE_END, open)) return { fields, end: open + ARTICLE_END.length }
    if (text.startsWith(ARTICLE, open)) return { fields, end: open }
    tag.lastIndex = open
    const [whole, closing, name = ''] = tag.exec(text) ?? []
    at = open + (whole?.length ?? 1)
    if (whole === undefined || closing) continue
    let value = ''
    while (text.startsWith(CDATA, at)) {
      const end = text.indexOf(CDATA_END, at)
      const stop = end < 0 ? text.length : end
      value += text.slice(at + CDATA.length, stop)
      at = stop + CDATA_END.length
    }
    fields.set(name, value)
  }
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(?:t|true|1)$/i.test(text)
}

/** JSON: lists of number, name and colors. */
function labelsIn(json: string | undefined): string[] {
  if (json === undefined || json.length > MAX_LABEL_JSON) return []
  try {
    const labels: unknown = JSON.parse(json)
    const lists = Array.isArray(labels) ? labels : Object.values((labels ?? {}) as JsonObject)
    return lists.flatMap((label) => (Array.isArray(label) && typeof label[1] === 'string' ? [label[1]] : []))
  } catch {
    return []
  }
}

const MAX_LABEL_JSON = 10_000
