/**
 * Splits a page into blocks, in order: runs of text without block boundaries inside. All text classification works on
 * blocks.
 */
import { BREAK, oneVisibleLine, type PagePiece } from '../page/piece.ts'
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
  /** The range of its pieces, end exclusive. */
  from: number
  to: number
}

/** Finished blocks, and the current one. */
interface Making {
  readonly pieces: readonly PagePiece[]
  readonly places: readonly Place[]
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

export function splitIntoBlocks(pieces: readonly PagePiece[]): Block[] {
  const places = placesOf(pieces)
  const making: Making = { pieces, places, blocks: [], text: '', linkChars: 0, from: 0, home: -1, isAfterBreak: false }
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i]!
    if (making.home >= 0 && isBehindBlock(making, piece)) endBlock(making, i)
    if (piece.name === '') addText(making, piece, i)
    else if (!piece.isBlock && !piece.holdsBlocks && isHiddenInline(piece.attributes) && !holdsFormula(pieces, i))
      i = piece.end - 1
  }
  if (making.home >= 0) endBlock(making, pieces.length)
  settleKinds(making.blocks, places)
  for (const block of making.blocks) if (isFormula(pieces, block)) block.kind = 'code'
  return making.blocks
}

/** A line with only a formula, perhaps with its number: like code, it is short and ends no sentence. */
function isFormula(pieces: readonly PagePiece[], { kind, from, to, text }: Block): boolean {
  if (kind === 'heading' || text.length > LONGEST_FORMULA || pieces[pieces[from]!.parent]!.name !== 'math') return false
  let others = 0
  for (let i = from; i < to; i++)
    if (pieces[pieces[i]!.parent]!.name !== 'math') others += pieces[i]!.text.trim().length
  return others <= 6
}

const LONGEST_FORMULA = 1_000

/** A formula that is hidden because a picture shows it. */
function holdsFormula(pieces: readonly PagePiece[], index: number): boolean {
  return pieces[index + 1]?.name === 'math' && pieces[index]!.end > index + 1
}

/** Whether the current block ends before this piece. Two line breaks end a paragraph. */
function isBehindBlock({ home, isAfterBreak }: Making, piece: PagePiece): boolean {
  if (piece.name !== '') return piece.isBlock
  return piece.home !== home || (isAfterBreak && piece.text === BREAK)
}

function addText(making: Making, { text, home, link }: PagePiece, index: number): void {
  const said = text.trim()
  if (making.home < 0) {
    if (said === '') return
    making.home = home
    making.from = index
  }
  if (said !== '') making.isAfterBreak = false
  else if (text === BREAK) making.isAfterBreak = true
  making.text += text
  if (link > 0 && !isAnchor(making, link)) making.linkChars += said.length
}

/** `to`: index of the first piece after it. */
function endBlock(making: Making, to: number): void {
  const { pieces, text, from, home } = making
  const place = making.places[home]!
  const clean = place.kind === 'code' ? codeLines(text) : lines(text)
  if (clean !== '') {
    making.blocks.push({
      kind: 'plain',
      level: place.level,
      list: 0,
      quote: place.quote,
      table: 0,
      text: clean,
      size: textSize(clean),
      linkShare: Math.min(1, making.linkChars / clean.length),
      italic: isItalic(pieces, from, to, home),
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
function isAnchor({ pieces, places, home }: Making, link: number): boolean {
  return places[home]!.kind === 'heading' && (pieces[link]!.attributes.href ?? '').startsWith('#')
}

/** The element around its first text, or one of its nearest ancestors, is italic and contains all of it. */
function isItalic(pieces: readonly PagePiece[], from: number, to: number, home: number): boolean {
  let at = pieces[from]!.parent
  for (let i = 0; i < 4 && at > home; i++) {
    const { name, end, parent } = pieces[at]!
    if (name === 'em' || name === 'i') {
      for (let j = end; j < to; j++) if (pieces[j]!.text.trim() !== '') return false
      return true
    }
    at = parent
  }
  return false
}

/** Collapses spaces, and several line breaks to one. */
function lines(text: string): string {
  let all = ''
  for (let from = 0, end = 0; end < text.length; from = end + 1) {
    const next = text.indexOf(BREAK, from)
    end = next < 0 ? text.length : next
    const line = oneVisibleLine(text.slice(from, end))
    if (line !== '') all += all === '' ? line : `\n${line}`
  }
  return all
}

/** Code keeps its lines and indentation. */
function codeLines(text: string): string {
  const all = text.split(/[\n\u2028]/).map((line) => line.trimEnd())
  const first = all.findIndex((line) => line !== '')
  return first < 0 ? '' : all.slice(first, all.findLastIndex((line) => line !== '') + 1).join('\n')
}

/** Sets the kinds of blocks by their places, ignoring layout tables. */
function settleKinds(blocks: readonly Block[], places: readonly Place[]): void {
  const layout = layoutTables(blocks, places)
  for (const block of blocks) {
    const { kind, list, table } = places[block.home]!
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
function layoutTables(blocks: readonly Block[], places: readonly Place[]): ReadonlySet<number> {
  const layout = new Set<number>()
  const blocksIn = new Map<number, number>()
  for (const { home } of blocks) {
    const { table, cell, outerTable } = places[home]!
    if (table === 0) continue
    layout.add(outerTable)
    const count = (blocksIn.get(cell) ?? 0) + 1
    blocksIn.set(cell, count)
    if (count >= 3) layout.add(table)
  }
  layout.delete(0)
  return layout
}

interface Place {
  kind: BlockKind
  level: number
  list: number
  quote: number
  table: number
  /** Index of the innermost cell, and of the table around the innermost table. */
  cell: number
  outerTable: number
  /** Cache of the last place created for text directly inside. */
  inside: Place | undefined
}

const PAGE: Place = { kind: 'plain', level: 0, list: 0, quote: 0, table: 0, cell: 0, outerTable: 0, inside: undefined }

/** Computes the kind of text directly inside each block element, from the elements around it. */
function placesOf(pieces: readonly PagePiece[]): Place[] {
  const root = placeLike(PAGE)
  const places: Place[] = [root]
  for (let i = 1; i < pieces.length; i++) {
    const { name, isBlock, home } = pieces[i]!
    places.push(isBlock ? placeIn(name, places[home]!, i) : root)
  }
  return places
}

function placeIn(name: string, round: Place, index: number): Place {
  const make = PLACES.get(name)
  if (make !== undefined) return make(round, index)
  const isText = round.kind === 'paragraph' || round.kind === 'heading' || round.kind === 'code'
  return isText ? placeOf('plain', 0, round) : round
}

/** How each element changes the place. */
const PLACES: ReadonlyMap<string, (round: Place, index: number) => Place> = new Map([
  ['p', (round) => placeOf('paragraph', 0, round)],
  ['pre', (round) => placeOf('code', 0, round)],
  ['li', (round) => placeOf('item', 0, round)],
  ['dd', (round) => placeOf('item', 0, round)],
  ['dt', (round) => placeOf('item', 0, round)],
  ['h1', (round) => placeOf('heading', 1, round)],
  ['h2', (round) => placeOf('heading', 2, round)],
  ['h3', (round) => placeOf('heading', 3, round)],
  ['h4', (round) => placeOf('heading', 4, round)],
  ['h5', (round) => placeOf('heading', 5, round)],
  ['h6', (round) => placeOf('heading', 6, round)],
  ['ul', listIn],
  ['ol', listIn],
  ['dl', listIn],
  ['td', cellIn],
  ['th', cellIn],
  ['table', tableIn],
  ['blockquote', quoteIn],
])

function listIn(round: Place, index: number): Place {
  const place = placeLike(round)
  place.list = index
  return place
}

function tableIn(round: Place, index: number): Place {
  const place = listIn(round, index)
  place.table = index
  place.outerTable = round.table
  return place
}

function cellIn(round: Place, index: number): Place {
  const place = placeFor('cell', 0, round)
  place.cell = index
  return place
}

function quoteIn(round: Place, index: number): Place {
  const place = placeFor('paragraph', 0, round)
  place.quote = index
  return place
}

/** Paragraphs of one element share a place. */
function placeOf(kind: BlockKind, level: number, round: Place): Place {
  const known = round.inside
  if (known !== undefined && known.kind === kind && known.level === level) return known
  const place = placeFor(kind, level, round)
  round.inside = place
  return place
}

function placeFor(kind: BlockKind, level: number, round: Place): Place {
  const place = placeLike(round)
  place.kind = kind
  place.level = level
  return place
}

function placeLike({ kind, level, list, quote, table, cell, outerTable }: Place): Place {
  return { kind, level, list, quote, table, cell, outerTable, inside: undefined }
}
