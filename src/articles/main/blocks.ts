/**
 * The blocks of a page, in order: runs of text with no block's edge inside. Everything that judges text judges blocks.
 */
import { BREAK, oneVisibleLine, type PagePiece } from '../page/piece.ts'
import { isHiddenInline } from './hidden.ts'
import { sizeOf } from './size.ts'

export type BlockKind = 'heading' | 'paragraph' | 'code' | 'item' | 'cell' | 'plain'

export interface Block {
  kind: BlockKind
  /** Of a heading 1 to 6, else 0. */
  level: number
  /** A line for each line. */
  text: string
  size: number
  /** 0 to 1: how much of it is links. */
  linkShare: number
  /** All of it stands in <em> or <i>. */
  italic: boolean
  /** Index of the block element that it stands in. */
  home: number
  /** Index of the innermost list or table that it stands in; 0 for none. */
  list: number
  /** Index of the innermost table of data; 0 for none: a table that holds the page together is none. */
  table: number
  /** Index of the innermost quotation that it stands in; 0 for none. */
  quote: number
  /** Its pieces: from the first to before the last. */
  from: number
  to: number
}

export function blocksOf(pieces: readonly PagePiece[]): Block[] {
  const blocks: Block[] = []
  const places = placesOf(pieces)
  const holdsBlocks = blockHolders(pieces)
  let text = ''
  let linkChars = 0
  let from = 0
  let home = -1
  let afterBreak = false

  const flush = (to: number) => {
    const { kind, level, list, quote, table } = places[home]!
    const clean = kind === 'code' ? codeLines(text) : lines(text)
    if (clean !== '') {
      const linkShare = Math.min(1, linkChars / clean.length)
      const italic = isItalic(pieces, from, to, home)
      blocks.push({
        kind,
        level,
        list,
        quote,
        table,
        text: clean,
        size: sizeOf(clean),
        linkShare,
        italic,
        home,
        from,
        to,
      })
    }
    text = ''
    linkChars = 0
    home = -1
    afterBreak = false
  }

  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i]!
    if (piece.name !== '') {
      if (!piece.isBlock) {
        if (holdsBlocks[i] === 0 && isHiddenInline(piece.attributes)) i = piece.end - 1
      } else if (home >= 0) flush(i)
      continue
    }
    if (home >= 0 && (piece.home !== home || (piece.text === BREAK && afterBreak))) flush(i)
    const isBlank = !/\S/.test(piece.text)
    if (home < 0) {
      if (isBlank) continue
      home = piece.home
      from = i
    }
    // Two line breaks are the end of a paragraph.
    if (piece.text === BREAK) afterBreak = true
    else if (!isBlank) afterBreak = false
    text += piece.text
    if (piece.link > 0 && !isAnchor(pieces, piece.link, places[home]!.kind)) linkChars += piece.text.trim().length
  }
  if (home >= 0) flush(pieces.length)
  leaveLayoutTables(blocks, places)
  return blocks
}

/** 1 for every element with a block inside. */
function blockHolders(pieces: readonly PagePiece[]): Uint8Array {
  const holders = new Uint8Array(pieces.length)
  for (let i = pieces.length - 1; i > 0; i--) {
    const { isBlock, parent } = pieces[i]!
    if (isBlock || holders[i] === 1) holders[parent] = 1
  }
  return holders
}

/** Headings are links to themselves on many pages. */
function isAnchor(pieces: readonly PagePiece[], link: number, kind: BlockKind): boolean {
  return kind === 'heading' && (pieces[link]!.attributes.href ?? '').startsWith('#')
}

/** The element that holds the first of its text, or one of the few round it, is italic and holds all of it. */
function isItalic(pieces: readonly PagePiece[], from: number, to: number, home: number): boolean {
  let at = pieces[from]!.parent
  for (let i = 0; i < 4 && at > home; i++) {
    const { name, end, parent } = pieces[at]!
    if (name === 'em' || name === 'i') {
      for (let j = end; j < to; j++) if (/\S/.test(pieces[j]!.text)) return false
      return true
    }
    at = parent
  }
  return false
}

/** Spaces squeezed; line breaks stay, one for many. */
function lines(text: string): string {
  if (!text.includes(BREAK)) return oneVisibleLine(text)
  return text
    .split(BREAK)
    .map(oneVisibleLine)
    .filter((line) => line !== '')
    .join('\n')
}

/** Code keeps its lines and how far they are indented. */
function codeLines(text: string): string {
  const all = text.split(/[\n\u2028]/).map((line) => line.trimEnd())
  const first = all.findIndex((line) => line !== '')
  return first < 0 ? '' : all.slice(first, all.findLastIndex((line) => line !== '') + 1).join('\n')
}

/**
 * Tables hold old pages together. One with another table inside, or with a cell of several paragraphs, is such a table, and
 * its blocks are what they would be without it.
 */
function leaveLayoutTables(blocks: readonly Block[], places: readonly Place[]): void {
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
  for (const block of blocks) {
    if (!layout.has(block.table)) continue
    if (block.list === block.table) block.list = 0
    if (block.kind === 'cell') block.kind = 'plain'
    block.table = 0
  }
}

interface Place {
  kind: BlockKind
  level: number
  list: number
  quote: number
  table: number
  /** Index of the innermost cell, and of the table round the innermost table. */
  cell: number
  outerTable: number
  /** The last that was made for what stands directly in it. */
  inside: Place | undefined
}

/** What a block is follows from the elements round it: each element says it for the text that stands in it. */
function placesOf(pieces: readonly PagePiece[]): Place[] {
  const places: Place[] = [
    { kind: 'plain', level: 0, list: 0, quote: 0, table: 0, cell: 0, outerTable: 0, inside: undefined },
  ]
  for (let i = 1; i < pieces.length; i++) {
    const { name, isBlock, parent } = pieces[i]!
    places.push(isBlock ? placeIn(name, places[parent]!, i) : places[parent]!)
  }
  return places
}

function placeIn(name: string, round: Place, index: number): Place {
  switch (name) {
    case 'p':
      return placeOf('paragraph', 0, round)
    case 'pre':
      return placeOf('code', 0, round)
    case 'blockquote':
      return { ...round, inside: undefined, kind: 'paragraph', level: 0, quote: index }
    case 'li':
    case 'dd':
    case 'dt':
      return placeOf('item', 0, round)
    case 'td':
    case 'th':
      return { ...round, inside: undefined, kind: 'cell', level: 0, cell: index }
    case 'ul':
    case 'ol':
    case 'dl':
      return { ...round, inside: undefined, list: index }
    case 'table':
      return { ...round, inside: undefined, list: index, table: index, outerTable: round.table }
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return placeOf('heading', Number(name[1]), round)
  }
  return round.kind === 'paragraph' || round.kind === 'heading' || round.kind === 'code'
    ? placeOf('plain', 0, round)
    : round
}

/** Paragraphs of one element are all in one place. */
function placeOf(kind: BlockKind, level: number, round: Place): Place {
  const known = round.inside
  if (known?.kind === kind && known.level === level) return known
  const place = { ...round, inside: undefined, kind, level }
  round.inside = place
  return place
}
