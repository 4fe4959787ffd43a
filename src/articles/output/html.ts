/**
 * Writes blocks as clean HTML: paragraphs, headings, lists, quotations, tables, code, links, emphasis and pictures, and
 * nothing else. It is generated from text and an allow list, so no markup of the page can slip through: every text is
 * escaped, every URL is absolute and http(s). Containers (a list, a quotation, a row) are opened when their first block
 * comes, and closed when a block comes that is not inside.
 */
import { toAbsoluteUrl } from '../facts/urls.ts'
import type { Block } from '../main/blocks.ts'
import { isHiddenInline } from '../main/hidden.ts'
import { BREAK, type PagePiece } from '../page/piece.ts'
import { escapeHtml } from './escape.ts'
import type { Picture } from './pictures.ts'

export function blocksToHtml(
  pieces: readonly PagePiece[],
  blocks: readonly Block[],
  pictures: readonly Picture[],
  base: URL | undefined,
): string {
  const out: string[] = []
  const frames = framesOf(pieces)
  let picture = 0
  let open: number[] = []

  const enter = (home: number, table: number) => {
    const chain = chainOf(pieces, frames, home, table)
    let shared = 0
    while (shared < open.length && open[shared] === chain[shared]) shared++
    for (let i = open.length - 1; i >= shared; i--) out.push(`</${pieces[open[i]!]!.name}>`)
    for (let i = shared; i < chain.length; i++) out.push(`<${pieces[chain[i]!]!.name}>`)
    open = chain
  }

  for (const block of blocks) {
    for (; picture < pictures.length && pictures[picture]!.index < block.from; picture++) {
      enter(0, 0)
      out.push(pictures[picture]!.html)
    }
    enter(block.home, block.table)
    out.push(blockHtml(pieces, block, base))
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
const MOST_FRAMES = 16

/** For every block element, the innermost container around it, itself included. */
function framesOf(pieces: readonly PagePiece[]): Int32Array {
  const frames = new Int32Array(pieces.length)
  for (let i = 1; i < pieces.length; i++) {
    const { name, isBlock, home } = pieces[i]!
    if (isBlock) frames[i] = FRAMES.has(name) ? i : frames[home]!
  }
  return frames
}

/** The containers of a block, outermost first. Items without a list and cells without a table do not count. */
function chainOf(pieces: readonly PagePiece[], frames: Int32Array, home: number, table: number): number[] {
  const chain: number[] = []
  for (let i = frames[home]!; i > 0 && chain.length < MOST_FRAMES; i = frames[pieces[i]!.home]!) chain.unshift(i)
  const real = chain.filter((index) => !TABLE_PARTS.has(pieces[index]!.name) || (table > 0 && index >= table))
  return real.filter((index, i) => {
    const wanted = PARENTS[pieces[index]!.name]
    return wanted === undefined || (i > 0 && wanted.includes(pieces[real[i - 1]!]!.name))
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

function blockHtml(pieces: readonly PagePiece[], block: Block, base: URL | undefined): string {
  if (block.kind === 'code') return `<pre>${escapeHtml(block.text)}</pre>`
  const inside = inlineHtml(pieces, block, base)
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

function inlineHtml(pieces: readonly PagePiece[], { from, to, home }: Block, base: URL | undefined): string {
  const open: { name: string; end: number }[] = []
  let html = ''

  const start = (index: number) => {
    const { name, attributes, end } = pieces[index]!
    const clean = Object.hasOwn(INLINE, name) ? INLINE[name]! : undefined
    if (clean === undefined || open.some((other) => other.name === clean)) return
    const href = clean === 'a' ? toAbsoluteUrl(attributes.href, base) : undefined
    if (clean === 'a' && href === undefined) return
    html += href === undefined ? `<${clean}>` : `<a href="${escapeHtml(href)}">`
    open.push({ name: clean, end })
  }

  const round: number[] = []
  for (let i = pieces[from]!.parent; i > home && round.length < MOST_FRAMES; i = pieces[i]!.parent) round.unshift(i)
  for (const index of round) start(index)
  for (let i = from; i < to; i++) {
    while (open.length > 0 && i >= open[open.length - 1]!.end) html += `</${open.pop()!.name}>`
    const { name, text, attributes, end } = pieces[i]!
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
