/**
 * Writes blocks as clean HTML: paragraphs, headings, lists, quotations, tables, code, links, emphasis and pictures, and
 * nothing else. It is generated from text and an allow list, so no markup of the page can slip through: every text is
 * escaped, every URL is absolute and http(s). Containers (a list, a quotation, a row) are opened when their first block
 * comes, and closed when a block comes that is not inside.
 */
import { toAbsoluteUrl } from '../facts/urls.ts'
import type { Block } from '../main/blocks.ts'
import { isHiddenInline } from '../main/hidden.ts'
import { BREAK, type PageNode } from '../page/page-node.ts'
import { escapeHtml } from './escape.ts'
import type { Picture } from './pictures.ts'

export function blocksToHtml(
  nodes: readonly PageNode[],
  blocks: readonly Block[],
  pictures: readonly Picture[],
  base: URL | undefined,
): string {
  const out: string[] = []
  const frames = containersOf(nodes)
  let picture = 0
  let open: number[] = []

  const enter = (home: number, table: number) => {
    const chain = containerChain(nodes, frames, home, table)
    let shared = 0
    while (shared < open.length && open[shared] === chain[shared]) shared++
    for (let i = open.length - 1; i >= shared; i--) out.push(`</${nodes[open[i]!]!.name}>`)
    for (let i = shared; i < chain.length; i++) out.push(`<${nodes[chain[i]!]!.name}>`)
    open = chain
  }

  for (const block of blocks) {
    for (; picture < pictures.length && pictures[picture]!.index < block.from; picture++) {
      enter(0, 0)
      out.push(pictures[picture]!.html)
    }
    enter(block.home, block.table)
    out.push(blockHtml(nodes, block, base))
  }
  enter(0, 0)
  return out.join('')
}

/** For text without markup. */
export function paragraphs(text: string): string {
  return text
    .split(/\n+/)
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
}

const FRAMES: ReadonlySet<string> = new Set([
  'blockquote',
  'dd',
  'dl',
  'dt',
  'li',
  'ol',
  'table',
  'td',
  'th',
  'tr',
  'ul',
])
const MAX_FRAMES = 16

/** For every block element, the innermost container around it, itself included. */
function containersOf(nodes: readonly PageNode[]): Int32Array {
  const frames = new Int32Array(nodes.length)
  for (let i = 1; i < nodes.length; i++) {
    const { name, isBlock, home } = nodes[i]!
    if (isBlock) frames[i] = FRAMES.has(name) ? i : frames[home]!
  }
  return frames
}

/** The containers of a block, outermost first. Items without a list and cells without a table do not count. */
function containerChain(nodes: readonly PageNode[], frames: Int32Array, home: number, table: number): number[] {
  const chain: number[] = []
  for (let i = frames[home]!; i > 0 && chain.length < MAX_FRAMES; i = frames[nodes[i]!.home]!) chain.unshift(i)
  const isElement = chain.filter((index) => !TABLE_PARTS.has(nodes[index]!.name) || (table > 0 && index >= table))
  return isElement.filter((index, i) => {
    const requiredParent = PARENTS[nodes[index]!.name]
    return requiredParent === undefined || (i > 0 && requiredParent.includes(nodes[isElement[i - 1]!]!.name))
  })
}

const TABLE_PARTS: ReadonlySet<string> = new Set(['table', 'td', 'th', 'tr'])

const PARENTS: Record<string, string[]> = {
  li: ['ul', 'ol'],
  dt: ['dl'],
  dd: ['dl'],
  tr: ['table'],
  td: ['tr'],
  th: ['tr'],
}

function blockHtml(nodes: readonly PageNode[], block: Block, base: URL | undefined): string {
  if (block.kind === 'code') return `<pre>${escapeHtml(block.text)}</pre>`
  const inside = inlineHtml(nodes, block, base)
  if (block.kind === 'heading') return `<h${block.level}>${inside}</h${block.level}>`
  return block.kind === 'item' || block.kind === 'cell' ? inside : `<p>${inside}</p>`
}

const INLINE: Record<string, string> = {
  a: 'a',
  b: 'strong',
  cite: 'cite',
  code: 'code',
  del: 'del',
  em: 'em',
  i: 'em',
  ins: 'ins',
  kbd: 'kbd',
  mark: 'mark',
  q: 'q',
  s: 'del',
  samp: 'code',
  strong: 'strong',
  sub: 'sub',
  sup: 'sup',
}

function inlineHtml(nodes: readonly PageNode[], { from, to, home }: Block, base: URL | undefined): string {
  const open: { name: string; end: number }[] = []
  let html = ''

  const start = (index: number) => {
    const { name, attributes, end } = nodes[index]!
    const clean = Object.hasOwn(INLINE, name) ? INLINE[name]! : undefined
    if (clean === undefined || open.some((openElement) => openElement.name === clean)) return
    const href = clean === 'a' ? toAbsoluteUrl(attributes.href, base) : undefined
    if (clean === 'a' && href === undefined) return
    html += href === undefined ? `<${clean}>` : `<a href="${escapeHtml(href)}">`
    open.push({ name: clean, end })
  }

  const outer: number[] = []
  for (let i = nodes[from]!.parent; i > home && outer.length < MAX_FRAMES; i = nodes[i]!.parent) outer.unshift(i)
  for (const index of outer) start(index)
  for (let i = from; i < to; i++) {
    while (open.length > 0 && i >= open[open.length - 1]!.end) html += `</${open.pop()!.name}>`
    const { name, text, attributes, end } = nodes[i]!
    if (name !== '') {
      if (isHiddenInline(attributes)) i = end - 1
      else start(i)
    } else if (text === BREAK) html += '<br>'
    else html += escapeHtml(UNTIDY.test(text) ? text.replace(/\s+/g, ' ') : text)
  }
  while (open.length > 0) html += `</${open.pop()!.name}>`
  return withoutBreaks(html.trim())
}

/** `\s\s` or any blank but the usual one; as one class it is found in half the time. */
const UNTIDY = /[\t-\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]| {2}/

function withoutBreaks(html: string): string {
  let end = html.length
  while (html.endsWith('<br>', end)) end -= 4
  return html.slice(0, end).trimEnd()
}
