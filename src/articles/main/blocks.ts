/**
 * Splits a page into blocks, in order: runs of text without block boundaries inside. All text classification works on
 * blocks.
 */
import { BREAK, oneVisibleLine, type PageNode } from '../page/page-node.ts'
import { isHiddenInline } from './hidden.ts'
import { textSize } from './text-size.ts'

export type BlockKind = 'heading' | 'paragraph' | 'code' | 'item' | 'cell' | 'plain'

export interface Block {
  kind: BlockKind
  /** 1 to 6 for a heading, else 0. */
  level: number
  /** One line per line of the page. */
  text: string
  size: number
  /** Share of the text inside links, 0 to 1. */
  linkShare: number
  /** The whole block is in <em> or <i>. */
  italic: boolean
  /** Index of the enclosing block element. */
  home: number
  /** Index of the innermost enclosing list or table; 0 for none. */
  list: number
  /** Index of the innermost enclosing data table; 0 for none. Layout tables do not count. */
  table: number
  /** Index of the innermost enclosing quotation; 0 for none. */
  quote: number
  /** The range of its nodes, end exclusive. */
  from: number
  to: number
}

/** Finished blocks, and the current one. */
interface BlockBuilder {
  readonly nodes: readonly PageNode[]
  readonly contexts: readonly BlockContext[]
  readonly blocks: Block[]
  text: string
  /** Characters inside links. */
  linkChars: number
  from: number
  /** -1 if no block has begun. */
  home: number
  /** No text since a line break. */
  isAfterBreak: boolean
}

export function splitIntoBlocks(nodes: readonly PageNode[]): Block[] {
  const contexts = contextsOf(nodes)
  const builder: BlockBuilder = {
    nodes,
    contexts,
    blocks: [],
    text: '',
    linkChars: 0,
    from: 0,
    home: -1,
    isAfterBreak: false,
  }
  for (let i = 1; i < nodes.length; i++) {
    const node = nodes[i]!
    if (builder.home >= 0 && startsNewBlock(builder, node)) endBlock(builder, i)
    if (node.name === '') addText(builder, node, i)
    else if (!node.isBlock && !node.holdsBlocks && isHiddenInline(node.attributes) && !holdsFormula(nodes, i))
      i = node.end - 1
  }
  if (builder.home >= 0) endBlock(builder, nodes.length)
  setKinds(builder.blocks, contexts)
  for (const block of builder.blocks) if (isFormula(nodes, block)) block.kind = 'code'
  return builder.blocks
}

/** A line with only a formula, perhaps with its number: like code, it is short and ends no sentence. */
function isFormula(nodes: readonly PageNode[], { kind, from, to, text }: Block): boolean {
  if (kind === 'heading' || text.length > MAX_FORMULA_LENGTH || nodes[nodes[from]!.parent]!.name !== 'math')
    return false
  let charsOutside = 0
  for (let i = from; i < to; i++)
    if (nodes[nodes[i]!.parent]!.name !== 'math') charsOutside += nodes[i]!.text.trim().length
  return charsOutside <= 6
}

const MAX_FORMULA_LENGTH = 1_000

/** A formula that is hidden because a picture shows it. */
function holdsFormula(nodes: readonly PageNode[], index: number): boolean {
  return nodes[index + 1]?.name === 'math' && nodes[index]!.end > index + 1
}

/** Whether the current block ends before this node. Two line breaks end a paragraph. */
function startsNewBlock({ home, isAfterBreak }: BlockBuilder, node: PageNode): boolean {
  if (node.name !== '') return node.isBlock
  return node.home !== home || (isAfterBreak && node.text === BREAK)
}

function addText(making: BlockBuilder, { text, home, link }: PageNode, index: number): void {
  const trimmed = text.trim()
  if (making.home < 0) {
    if (trimmed === '') return
    making.home = home
    making.from = index
  }
  if (trimmed !== '') making.isAfterBreak = false
  else if (text === BREAK) making.isAfterBreak = true
  making.text += text
  if (link > 0 && !isAnchor(making, link)) making.linkChars += trimmed.length
}

/** `to`: index of the first node after it. */
function endBlock(making: BlockBuilder, to: number): void {
  const { nodes, text, from, home } = making
  const context = making.contexts[home]!
  const clean = context.kind === 'code' ? codeLines(text) : lines(text)
  if (clean !== '') {
    making.blocks.push({
      kind: 'plain',
      level: context.level,
      list: 0,
      quote: context.quote,
      table: 0,
      text: clean,
      size: textSize(clean),
      linkShare: Math.min(1, making.linkChars / clean.length),
      italic: isItalic(nodes, from, to, home),
      home,
      from,
      to,
    })
  }
  making.text = ''
  making.linkChars = 0
  making.home = -1
  making.isAfterBreak = false
}

/** On many pages headings link to themselves. */
function isAnchor({ nodes, contexts, home }: BlockBuilder, link: number): boolean {
  return contexts[home]!.kind === 'heading' && (nodes[link]!.attributes.href ?? '').startsWith('#')
}

/** The element around its first text, or one of its nearest ancestors, is italic and contains all of it. */
function isItalic(nodes: readonly PageNode[], from: number, to: number, home: number): boolean {
  let at = nodes[from]!.parent
  for (let i = 0; i < 4 && at > home; i++) {
    const { name, end, parent } = nodes[at]!
    if (name === 'em' || name === 'i') {
      for (let j = end; j < to; j++) if (nodes[j]!.text.trim() !== '') return false
      return true
    }
    at = parent
  }
  return false
}

/** Collapses spaces, and several line breaks to one. */
function lines(text: string): string {
  let joined = ''
  for (let from = 0, end = 0; end < text.length; from = end + 1) {
    const next = text.indexOf(BREAK, from)
    end = next < 0 ? text.length : next
    const line = oneVisibleLine(text.slice(from, end))
    if (line !== '') joined += joined === '' ? line : `\n${line}`
  }
  return joined
}

/** Code keeps its lines and indentation. */
function codeLines(text: string): string {
  const codeText = text.split(/[\n\u2028]/).map((line) => line.trimEnd())
  const first = codeText.findIndex((line) => line !== '')
  return first < 0 ? '' : codeText.slice(first, codeText.findLastIndex((line) => line !== '') + 1).join('\n')
}

/** Sets the kinds of blocks by their contexts, ignoring layout tables. */
function setKinds(blocks: readonly Block[], contexts: readonly BlockContext[]): void {
  const layout = layoutTables(blocks, contexts)
  for (const block of blocks) {
    const { kind, list, table } = contexts[block.home]!
    const isLayout = layout.has(table)
    block.kind = isLayout && kind === 'cell' ? 'plain' : kind
    block.list = isLayout && list === table ? 0 : list
    block.table = isLayout ? 0 : table
  }
}

/**
 * Old pages use tables for layout. A table with another table inside, or with a cell of several paragraphs, is a layout
 * table, and its blocks get the kinds they would have without it.
 */
function layoutTables(blocks: readonly Block[], contexts: readonly BlockContext[]): ReadonlySet<number> {
  const layout = new Set<number>()
  const blocksIn = new Map<number, number>()
  for (const { home } of blocks) {
    const { table, cell, outerTable } = contexts[home]!
    if (table === 0) continue
    layout.add(outerTable)
    const count = (blocksIn.get(cell) ?? 0) + 1
    blocksIn.set(cell, count)
    if (count >= 3) layout.add(table)
  }
  layout.delete(0)
  return layout
}

interface BlockContext {
  kind: BlockKind
  level: number
  list: number
  quote: number
  table: number
  /** Index of the innermost cell, and of the table around the innermost table. */
  cell: number
  outerTable: number
  /** Cache of the last context created for text directly inside. */
  inside: BlockContext | undefined
}

const PAGE: BlockContext = {
  kind: 'plain',
  level: 0,
  list: 0,
  quote: 0,
  table: 0,
  cell: 0,
  outerTable: 0,
  inside: undefined,
}

/** Computes the kind of text directly inside each block element, from the elements around it. */
function contextsOf(nodes: readonly PageNode[]): BlockContext[] {
  const root = copyContext(PAGE)
  const contexts: BlockContext[] = [root]
  for (let i = 1; i < nodes.length; i++) {
    const { name, isBlock, home } = nodes[i]!
    contexts.push(isBlock ? contextIn(name, contexts[home]!, i) : root)
  }
  return contexts
}

function contextIn(name: string, outer: BlockContext, index: number): BlockContext {
  const make = PLACES.get(name)
  if (make !== undefined) return make(outer, index)
  const isText = outer.kind === 'paragraph' || outer.kind === 'heading' || outer.kind === 'code'
  return isText ? paragraphContext('plain', 0, outer) : outer
}

/** How each element changes the context. */
const PLACES: ReadonlyMap<string, (round: BlockContext, index: number) => BlockContext> = new Map([
  ['p', (round) => paragraphContext('paragraph', 0, round)],
  ['pre', (round) => paragraphContext('code', 0, round)],
  ['li', (round) => paragraphContext('item', 0, round)],
  ['dd', (round) => paragraphContext('item', 0, round)],
  ['dt', (round) => paragraphContext('item', 0, round)],
  ['h1', (round) => paragraphContext('heading', 1, round)],
  ['h2', (round) => paragraphContext('heading', 2, round)],
  ['h3', (round) => paragraphContext('heading', 3, round)],
  ['h4', (round) => paragraphContext('heading', 4, round)],
  ['h5', (round) => paragraphContext('heading', 5, round)],
  ['h6', (round) => paragraphContext('heading', 6, round)],
  ['ul', listIn],
  ['ol', listIn],
  ['dl', listIn],
  ['td', cellIn],
  ['th', cellIn],
  ['table', tableIn],
  ['blockquote', quoteIn],
])

function listIn(round: BlockContext, index: number): BlockContext {
  const context = copyContext(round)
  context.list = index
  return context
}

function tableIn(round: BlockContext, index: number): BlockContext {
  const context = listIn(round, index)
  context.table = index
  context.outerTable = round.table
  return context
}

function cellIn(round: BlockContext, index: number): BlockContext {
  const context = createContext('cell', 0, round)
  context.cell = index
  return context
}

function quoteIn(round: BlockContext, index: number): BlockContext {
  const context = createContext('paragraph', 0, round)
  context.quote = index
  return context
}

/** Paragraphs of one element share a context. */
function paragraphContext(kind: BlockKind, level: number, round: BlockContext): BlockContext {
  const cached = round.inside
  if (cached !== undefined && cached.kind === kind && cached.level === level) return cached
  const context = createContext(kind, level, round)
  round.inside = context
  return context
}

function createContext(kind: BlockKind, level: number, round: BlockContext): BlockContext {
  const context = copyContext(round)
  context.kind = kind
  context.level = level
  return context
}

function copyContext({ kind, level, list, quote, table, cell, outerTable }: BlockContext): BlockContext {
  return { kind, level, list, quote, table, cell, outerTable, inside: undefined }
}
