/**
 * OPML import. OPML is rarely well-formed: ampersands are not escaped, end tags and <body> are missing, attribute names have any case.
 * So tags are processed one by one, and only the folder stack is kept.
 *
 * A closing </outline> closes the current feed's outline if that is open, else the innermost folder. If a feed's outline starts while
 * another's is open, the writer does not close them at all; from then on feeds count as closed.
 */
import { decodeEntities } from '../../html/index.ts'
import type { FeedCredentials, WebAddress } from '../../model/index.ts'
import { readTagsInChunks, type TagAttributes } from '../discover/read-tags.ts'
import { normalizeUserAddress, parseUserAddress } from '../discover/user-address.ts'

export interface OpmlOutline {
  url: WebAddress
  /** `site`: the list has only the web page, not the feed. */
  kind: 'feed' | 'site'
  /** Credentials in its address. */
  credentials?: FeedCredentials
  title?: string
  siteUrl?: WebAddress
  /** Its folders, outermost first, joined by " / ". */
  folder?: string
}

/**
 * `unusable`: invalid addresses, or the titles of outlines without one. Duplicates are in neither list. `isCut`: there were more
 * outlines than the limit, and the rest was not read.
 */
export type ParsedOpml =
  | { kind: 'opml'; title?: string; outlines: OpmlOutline[]; unusable: string[]; isCut?: true }
  | { kind: 'not-opml'; reason: string }

/** Deeper folders are merged into the last allowed one. */
const MAX_FOLDER_DEPTH = 8
const MAX_NAME = 200
const ELEMENTS = new Set(['opml', 'outline', 'title', 'html', 'rss', 'feed', 'rdf:rdf'])

interface Folder {
  path: string
  depth: number
}

export function parseOpml(text: string): ParsedOpml {
  const steps = parseOpmlInSteps(text)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

/** Yields after each chunk, so that other work can run. */
export function* parseOpmlInSteps(text: string, mostOutlines = Number.POSITIVE_INFINITY): Generator<void, ParsedOpml> {
  if (text.trim() === '') return { kind: 'not-opml', reason: 'it is empty' }
  const byUrl = new Map<string, OpmlOutline>()
  const folders: Folder[] = []
  let root: string | undefined
  let listTitle: string | undefined
  let inTitle = false
  const unusable: string[] = []
  let feedIsOpen = false
  let feedsAreLeftOpen = false

  const openOutline = (attributes: TagAttributes, selfClosed: boolean) => {
    if (feedIsOpen) feedsAreLeftOpen = true
    feedIsOpen = false
    const folder = folders.at(-1)
    const outline = readOutline(attributes, folder?.path)
    const isEmptyFeed = outline === 'folder' && selfClosed && attributes.has('xmlurl')
    if (outline === 'unusable' || isEmptyFeed) unusable.push(attributeIn(attributes))
    else if (outline !== 'folder' && !byUrl.has(outline.url)) byUrl.set(outline.url, outline)
    if (selfClosed) return
    if (outline === 'folder') folders.push(subfolderOf(folder, nameOf(attributes)))
    else feedIsOpen = !feedsAreLeftOpen
  }

  const isCut = () => byUrl.size + unusable.length > mostOutlines

  yield* readTagsInChunks(text, 'xml', {
    elements: ELEMENTS,
    opened(name, attributes, selfClosed) {
      if (name === 'outline') openOutline(attributes, selfClosed)
      else if (name === 'title') inTitle = listTitle === undefined && !selfClosed
      else root ??= name
      return isCut() || !(root === undefined || root === 'opml') ? 'stop' : undefined
    },
    closed(name) {
      inTitle = false
      if (name !== 'outline') return
      if (feedIsOpen) feedIsOpen = false
      else folders.pop()
    },
    text(piece) {
      if (inTitle) listTitle ??= cleanName(decodeEntities(piece.slice(0, MAX_NAME))) || undefined
    },
  })

  const outlines = [...byUrl.values()]
  if (root !== 'opml' && outlines.length === 0) return { kind: 'not-opml', reason: reasonFor(root) }
  const title = listTitle !== undefined && { title: listTitle }
  return { kind: 'opml', ...title, outlines, unusable, ...(isCut() && { isCut: true }) }
}

function reasonFor(root: string | undefined): string {
  if (root === 'html') return 'it is a web page'
  if (root !== undefined) return 'it is a feed itself, not a list of feeds'
  return 'it has no <opml> element and no outlines'
}

function readOutline(attributes: TagAttributes, folder: string | undefined): OpmlOutline | 'folder' | 'unusable' {
  const type = attributes.get('type')?.trim().toLowerCase()
  const feed = attributes.get('xmlurl') || (type === 'rss' || type === 'atom' ? attributes.get('url') : undefined)
  const site = attributes.get('htmlurl') || (type === 'link' ? attributes.get('url') : undefined)
  if (!feed && !site) return 'folder'

  const address = feed ? parseUserAddress(feed) : undefined
  const feedUrl = address?.url
  const siteUrl = site ? normalizeUserAddress(site) : undefined
  const url = feedUrl ?? siteUrl
  if (url === undefined) return 'unusable'
  const title = nameOf(attributes)
  const inside = folder || categoryOf(attributes)
  return {
    url,
    kind: feedUrl === undefined ? 'site' : 'feed',
    ...(address?.credentials && { credentials: address.credentials }),
    ...(title !== '' && title !== url && { title }),
    ...(feedUrl !== undefined && siteUrl !== undefined && { siteUrl }),
    ...(inside && { folder: inside }),
  }
}

/** Identifies an unusable outline for users. */
function attributeIn(attributes: TagAttributes): string {
  const names = ['xmlurl', 'url', 'htmlurl'].map((name) => cleanName(attributes.get(name) ?? ''))
  return names.find((name) => name !== '') ?? nameOf(attributes)
}

function nameOf(attributes: TagAttributes): string {
  return cleanName(attributes.get('title') || attributes.get('text') || '')
}

/** OPML 2.0's alternative to folders: `category="/News/Local,/Sports"`; the first one is used. */
function categoryOf(attributes: TagAttributes): string | undefined {
  const parts = attributes.get('category')?.split(',', 1)[0]?.split('/').map(cleanName).filter(Boolean)
  return parts?.slice(0, MAX_FOLDER_DEPTH).join(' / ')
}

function subfolderOf(parent: Folder | undefined, name: string): Folder {
  if (parent === undefined) return { path: name, depth: name === '' ? 0 : 1 }
  if (name === '' || parent.depth >= MAX_FOLDER_DEPTH) return parent
  return { path: parent.path === '' ? name : `${parent.path} / ${name}`, depth: parent.depth + 1 }
}

function cleanName(text: string): string {
  return text.slice(0, MAX_NAME).replace(/\s+/g, ' ').trim()
}
