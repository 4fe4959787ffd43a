/**
 * Converts HTML to a sequence of passages: lines of their own, each with the markers of its lists and quotations. Markdown
 * and the terminal are two formats for the same passages. One walk over the light tree; inline parts are concatenated when
 * they end, so nothing recurses, however deeply they are nested.
 */
import { BREAK, type PagePiece } from '../page/piece.ts'
import { readPage } from '../page/read-page.ts'
import { createMargins } from './margins.ts'

export interface Passage {
  kind: 'paragraph' | 'heading' | 'code' | 'rule' | 'table'
  /** Of a heading, 1 to 6. */
  level: number
  /** Before its first line, and before the following ones: "> - " and ">   ". */
  lead: string
  indent: string
  /** Its lines; empty for a table. */
  text: string
  rows: string[][]
}

/** How inline elements are written. */
export interface PassageFormat {
  text(text: string): string
  /** Formats the content of an element; returns it unchanged if the format ignores the element. */
  element(name: string, inside: string, address: string | undefined): string
  image(alt: string, address: string): string
  lineBreak: string
}

export function htmlToPassages(html: string, hand: PassageFormat): Passage[] {
  const { pieces } = readPage(html)
  const passages: Passage[] = []
  const margins = createMargins()
  /** Open blocks, and open inline elements, innermost last. */
  const blocks: PagePiece[] = []
  let inlines: { piece: PagePiece; from: number }[] = []
  let parts: string[] = []
  let code: PagePiece | undefined
  let heading: PagePiece | undefined
  let table: { piece: PagePiece; rows: string[][] } | undefined

  function add(kind: Passage['kind'], text: string, level = 0, rows: string[][] = []): void {
    passages.push({ kind, level, ...margins.take(), text, rows })
  }

  function endInlines(at: number): void {
    while (inlines.length > 0 && inlines[inlines.length - 1]!.piece.end <= at) {
      const { piece, from } = inlines.pop()!
      const inside = parts.splice(from).join('')
      parts.push(inside.trim() === '' ? inside : hand.element(piece.name, inside, piece.attributes.href))
    }
  }

  /** Inline elements that continue on the next line begin there again. */
  function endLine(at: number): void {
    const open = inlines.slice()
    endInlines(Number.POSITIVE_INFINITY)
    const text = code ? parts.join('').replace(/^\n+|\s+$/g, '') : tidied(parts.join(''), hand.lineBreak)
    parts = []
    inlines = open.flatMap(({ piece }) => (piece.end > at ? [{ piece, from: 0 }] : []))
    if (text === '') return
    if (table) addToCell(table.rows, text)
    else if (code) add('code', text)
    else if (heading) add('heading', text, Number(heading.name[1]))
    else add('paragraph', text)
  }

  function enter(piece: PagePiece): void {
    blocks.push(piece)
    margins.enter(piece.name)
    if (piece.name === 'hr') add('rule', '')
    else if (piece.name === 'pre') code ??= piece
    else if (/^h[1-6]$/.test(piece.name)) heading ??= piece
    else if (piece.name === 'table') table ??= { piece, rows: [] }
    else if (piece.name === 'tr') table?.rows.push([])
    else if (piece.name === 'td' || piece.name === 'th') table?.rows.at(-1)?.push('')
  }

  function leave(piece: PagePiece): void {
    if (piece === code) code = undefined
    if (piece === heading) heading = undefined
    if (piece === table?.piece) {
      const rows = table.rows.filter((cells) => cells.some((cell) => cell !== ''))
      table = undefined
      if (rows.length > 0) add('table', '', 0, rows)
    }
    margins.leave(piece.name)
  }

  for (let i = 1; i <= pieces.length; i++) {
    while (blocks.length > 0 && blocks[blocks.length - 1]!.end <= i) {
      endLine(i)
      leave(blocks.pop()!)
    }
    endInlines(i)
    const piece = pieces[i]
    if (!piece || piece.isBlock) endLine(i)
    if (!piece) break
    if (piece.isBlock) enter(piece)
    else if (piece.name === 'img') parts.push(imageOf(piece, hand))
    else if (piece.name !== '') inlines.push({ piece, from: parts.length })
    else if (code) parts.push(piece.text === BREAK ? '\n' : piece.text)
    else parts.push(piece.text === BREAK ? hand.lineBreak : hand.text(piece.text))
  }
  return passages
}

function addToCell(rows: string[][], text: string): void {
  if (rows.length === 0) rows.push([])
  const cells = rows[rows.length - 1]!
  if (cells.length === 0) cells.push('')
  const before = cells[cells.length - 1]!
  cells[cells.length - 1] = `${before}${before && ' '}${text.replace(/\s+/g, ' ')}`
}

function imageOf({ attributes }: PagePiece, hand: PassageFormat): string {
  return attributes.src ? hand.image((attributes.alt ?? '').replace(/\s+/g, ' ').trim(), attributes.src) : ''
}

/** Single spaces between words, none at the ends of lines. */
function tidied(text: string, lineBreak: string): string {
  const lines = text.split(lineBreak).map((line) => line.replace(/[^\S\u00a0]+/g, ' ').trim())
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  return lines.join(lineBreak)
}
