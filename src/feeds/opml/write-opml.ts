/** OPML 2.0 export: one outline per feed, in folders that `parseOpml` reads back. */
import { withoutCredentials } from '../../model/index.ts'

export interface OpmlFeed {
  /** The address; with credentials only on explicit request. */
  url: string
  title: string
  siteUrl?: string
  folder?: string
}

interface Folder {
  name: string
  feeds: OpmlFeed[]
  folders: Map<string, Folder>
}

/** The limit of `parseOpml`; the rest of a longer path is joined into the innermost name. */
const MAX_FOLDER_DEPTH = 8

export function writeOpml({ title, feeds }: { title: string; feeds: OpmlFeed[] }): string {
  const list = createOpmlWriter(title)
  for (const feed of feeds) list.add(feed)
  return [...list.pieces()].join('')
}

/** Collects feeds and writes them in chunks: there may be a hundred thousand. */
export function createOpmlWriter(title: string): { add(feed: OpmlFeed): void; pieces(): Generator<string> } {
  const root: Folder = { name: '', feeds: [], folders: new Map() }

  function* lines(): Generator<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<opml version="2.0">'
    yield '  <head>'
    yield `    <title>${xmlText(title)}</title>`
    yield '  </head>'
    yield '  <body>'
    yield* linesOf(root, '    ')
    yield '  </body>'
    yield '</opml>'
  }

  return {
    add: ({ url, title, siteUrl, folder = '' }) =>
      folderOf(root, folder).feeds.push({ url, title, ...(siteUrl !== undefined && { siteUrl }) }),
    *pieces() {
      let chunk: string[] = []
      for (const line of lines()) {
        if (chunk.push(`${line}\n`) < CHUNK_LINES) continue
        yield chunk.join('')
        chunk = []
      }
      yield chunk.join('')
    },
  }
}

/** Lines per chunk; takes some milliseconds. */
const CHUNK_LINES = 1000

function folderOf(root: Folder, path: string): Folder {
  const names = path.split(' / ').map((name) => name.trim())
  if (names.length > MAX_FOLDER_DEPTH) names.push(names.splice(MAX_FOLDER_DEPTH - 1).join(' / '))
  let folder = root
  for (const name of names.filter(Boolean)) {
    let inner = folder.folders.get(name)
    if (inner === undefined) {
      inner = { name, feeds: [], folders: new Map() }
      folder.folders.set(name, inner)
    }
    folder = inner
  }
  return folder
}

function* linesOf(folder: Folder, indent: string): Generator<string> {
  for (const feed of folder.feeds) yield indent + outlineLine(feed)
  for (const inner of folder.folders.values()) {
    const name = xmlText(inner.name)
    yield `${indent}<outline text="${name}" title="${name}">`
    yield* linesOf(inner, `${indent}  `)
    yield `${indent}</outline>`
  }
}

function outlineLine(feed: OpmlFeed): string {
  const title = xmlText(feed.title || withoutCredentials(feed.url))
  const site = feed.siteUrl === undefined ? '' : ` htmlUrl="${xmlText(feed.siteUrl)}"`
  return `<outline type="rss" text="${title}" title="${title}" xmlUrl="${xmlText(feed.url)}"${site}/>`
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Drops characters that XML cannot contain. Bidirectional marks are written as character references: the file may be printed to a terminal. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character]!)
    .replace(
      /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (control) => `&#x${control.charCodeAt(0).toString(16)};`,
    )
}
