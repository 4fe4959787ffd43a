/**
 * Finds the article in the data that a page's scripts render. The format is unknown: the object with the page's title
 * is taken for the article, and the part with most of its prose for its body. The value is flattened to a list in
 * which children follow their parents, so sums are one backward loop without recursion; circular references end at the
 * bound.
 */
import { textAsHtml } from '../../html/index.ts'
import { normalizeLetters } from '../page/characters.ts'
import { textSize } from './text-size.ts'

interface Node {
  key: string
  value: unknown
  parent: number
  /** Amount of text in it that may be the article's. */
  prose: number
}

const MAX_NODES = 100_000
const MAX_DEPTH = 64
/** Shorter strings are labels. */
const MIN_PROSE_LENGTH = 40
const MIN_TEXT_LENGTH = 250
/** A part with this share of the prose contains the text. */
const MAIN_PROSE_SHARE = 0.6

/** The article's HTML; undefined if not found. `anywhere`: even if nothing has the title. */
export function htmlInScriptState(state: unknown, title: string, anywhere: boolean): string | undefined {
  const nodes = flatten(state)
  for (const node of nodes) node.prose = proseIn(node)
  for (let i = nodes.length - 1; i > 0; i--) nodes[nodes[i]!.parent]!.prose += nodes[i]!.prose
  const article = articleIn(nodes, normalizeLetters(title)) ?? (anywhere ? 0 : undefined)
  if (article === undefined || nodes[article]!.prose < MIN_TEXT_LENGTH) return undefined
  return htmlOf(nodes, bodyIn(nodes, article))
}

/** In text order: a node's children follow it. */
function flatten(state: unknown): Node[] {
  const nodes: Node[] = []
  const open: { key: string; value: unknown; parent: number; depth: number }[] = []
  const seen = new Set<unknown>()
  open.push({ key: '', value: state, parent: 0, depth: 0 })
  while (open.length > 0 && nodes.length < MAX_NODES) {
    const { key, value, parent, depth } = open.pop()!
    const index = nodes.length
    nodes.push({ key, value: typeof value === 'string' ? value : undefined, parent, prose: 0 })
    if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH || seen.has(value)) continue
    seen.add(value)
    nodes[index]!.value = value
    const inside = Object.entries(value).slice(0, MAX_NODES)
    for (let i = inside.length - 1; i >= 0; i--) {
      const [name, child] = inside[i]!
      if (typeof child === 'string' || (typeof child === 'object' && child !== null)) {
        open.push({ key: Array.isArray(value) ? key : name, value: child, parent: index, depth: depth + 1 })
      }
    }
  }
  return nodes
}

function proseIn({ key, value }: Node): number {
  if (typeof value !== 'string' || value.length < MIN_PROSE_LENGTH / 3 || ASIDES.test(key) || CODE.test(value)) return 0
  const size = textSize(value)
  return size >= MIN_PROSE_LENGTH && (size > value.length || value.includes(' ')) ? size : 0
}

/** Keys of secondary content, and beginnings of values that are not text. */
const ASIDES =
  /^(?:meta|seo|og|twitter)|(?:alt|bio|byline|caption|class|classname|consent|cookie|copyright|credit|css|dek|description|disclaimer|error|excerpt|headline|href|label|message|query|script|src|style|subtitle|summary|teaser|title|translation|url)s?$/i
const CODE =
  /^\s{0,20}(?:[a-z]{2,12}:\S|\/|[{[(.#@]|(?:function|var|const|let|import|query|fragment)\b)|^[^<{]{0,200}\{[^}]{0,200}[:;]/i

/** The object that has the title, and most prose. */
function articleIn(nodes: readonly Node[], title: string): number | undefined {
  let best: number | undefined
  for (const { value, parent } of nodes) {
    if (typeof value !== 'string' || title === '' || value.length > 4 * title.length + 20) continue
    if (normalizeLetters(value) !== title) continue
    if (best === undefined || nodes[parent]!.prose > nodes[best]!.prose) best = parent
  }
  return best !== undefined && nodes[best]!.prose >= MIN_TEXT_LENGTH ? best : undefined
}

/** Descends to where the prose is. */
function bodyIn(nodes: readonly Node[], article: number): number {
  let body = article
  for (let i = article + 1; i < nodes.length && nodes[i]!.parent >= article; i++) {
    if (nodes[i]!.parent === body && nodes[i]!.prose >= MAIN_PROSE_SHARE * nodes[article]!.prose) body = i
  }
  return typeof nodes[body]!.value === 'object' && isParagraph(nodes, body) ? nodes[body]!.parent : body
}

function isParagraph(nodes: readonly Node[], index: number): boolean {
  return PARAGRAPHS.test(kindOf(nodes[index]!.value))
}

function htmlOf(nodes: readonly Node[], body: number): string {
  const paragraphs = new Map<number, string>()
  for (let i = body; i < nodes.length && (i === body || nodes[i]!.parent >= body); i++) {
    const node = nodes[i]!
    const { value, parent } = node
    if (typeof value !== 'string') continue
    const isInline = i > body && INLINE.test(kindOf(nodes[parent]!.value)) && TEXTS.test(node.key)
    if (!isInline && node.prose === 0) continue
    const ownerIndex = isInline ? ownerOf(nodes, parent) : i
    const html = /<\/?[a-z][^>]*>/i.test(value) ? value : textAsHtml(value)
    paragraphs.set(ownerIndex, (paragraphs.get(ownerIndex) ?? '') + (isInline ? html : lines(html)))
  }
  return [...paragraphs.values()].map((html) => `<p>${html}</p>`).join('')
}

function lines(html: string): string {
  return /<(?:p|br|div|li)\b/i.test(html) ? html : html.replace(/\n+/g, '</p><p>')
}

/** The paragraph around an inline node. */
function ownerOf(nodes: readonly Node[], index: number): number {
  let owner = index
  while (owner > 0 && (Array.isArray(nodes[owner]!.value) || INLINE.test(kindOf(nodes[owner]!.value)))) {
    owner = nodes[owner]!.parent
  }
  return owner
}

/** Node types of editors' formats: "paragraph", "text". */
function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const { type, _type, nodeType } = value as Record<string, unknown>
  const kind = type ?? _type ?? nodeType
  return typeof kind === 'string' ? kind : ''
}

const INLINE = /^(?:text|span|hyperlink|link|a|em|strong|b|i|mark)$/i
const PARAGRAPHS = /^(?:paragraph|p|block|text)$/i
const TEXTS = /^(?:text|value|content|children)$/i
