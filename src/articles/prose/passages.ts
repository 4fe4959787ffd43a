/**
 * Converts HTML to a sequence of passages: lines of their own, each with the markers of its lists and quotations. Markdown
 * and the terminal are two formats for the same passages. One walk over the light tree; inline parts are concatenated when
 * they end, so nothing recurses, however deeply they are nested.
 */
import { BREAK, type PageNode } from '../page/page-node.ts'
import { readPage } from '../page/read-page.ts'
import { createMargins } from './margins.ts'

export interface Passage {
  kind: 'paragraph' | 'heading' | 'code' | 'rule' | 'table'
  /** Level of a heading, 1 to 6. */
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

export function htmlToPassages(html: string, format: PassageFormat): Passage[] {
  const { nodes } = readPage(html)
  const passages: Passage[] = []
  const margins = createMargins()
  /** Open blocks, and open inline elements, innermost last. */
  const blocks: PageNode[] = []
  let inlines: { node: PageNode; from: number }[] = []
  let parts: string[] = []
  let code: PageNode | undefined
  let heading: PageNode | undefined
  let table: { node: PageNode; rows: string[][] } | undefined

  function add(kind: Passage['kind'], text: string, level = 0, rows: string[][] = []): void {
    passages.push({ kind, level, ...margins.next(), text, rows })
  }

  function endInlines(at: number): void {
    while (inlines.length > 0 && inlines[inlines.length - 1]!.node.end <= at) {
      const { node, from } = inlines.pop()!
      const inside = parts.splice(from).join('')
      parts.push(inside.trim() === '' ? inside : format.element(node.name, inside, node.attributes.href))
    }
  }

  /** Inline elements that continue on the next line begin there again. */
  function endLine(at: number): void {
    const open = inlines.slice()
    endInlines(Number.POSITIVE_INFINITY)
    const text = code ? parts.join('').replace(/^\n+|\s+$/g, '') : tidied(parts.join(''), format.lineBreak)
    parts = []
    inlines = open.flatMap(({ node }) => (node.end > at ? [{ node, from: 0 }] : []))
    if (text === '') return
    if (table) addToCell(table.rows, text)
    else if (code) add('code', text)
    else if (heading) add('heading', text, Number(heading.name[1]))
    else add('paragraph', text)
  }

  function enter(node: PageNode): void {
    blocks.push(node)
    margins.enter(node.name)
    if (node.name === 'hr') add('rule', '')
    else if (node.name === 'pre') code ??= node
    else if (/^h[1-6]$/.test(node.name)) heading ??= node
    else if (node.name === 'table') table ??= { node, rows: [] }
    else if (node.name === 'tr') table?.rows.push([])
    else if (node.name === 'td' || node.name === 'th') table?.rows.at(-1)?.push('')
  }

  function leave(node: PageNode): void {
    if (node === code) code = undefined
    if (node === heading) heading = undefined
    if (node === table?.node) {
      const rows = table.rows.filter((cells) => cells.some((cell) => cell !== ''))
      table = undefined
      if (rows.length > 0) add('table', '', 0, rows)
    }
    margins.leave(node.name)
  }

  for (let i = 1; i <= nodes.length; i++) {
    while (blocks.length > 0 && blocks[blocks.length - 1]!.end <= i) {
      endLine(i)
      leave(blocks.pop()!)
    }
    endInlines(i)
    const node = nodes[i]
    if (!node || node.isBlock) endLine(i)
    if (!node) break
    if (node.isBlock) enter(node)
    else if (node.name === 'img') parts.push(imageOf(node, format))
    else if (node.name !== '') inlines.push({ node, from: parts.length })
    else if (code) parts.push(node.text === BREAK ? '\n' : node.text)
    else parts.push(node.text === BREAK ? format.lineBreak : format.text(node.text))
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

function imageOf({ attributes }: PageNode, format: PassageFormat): string {
  return attributes.src ? format.image((attributes.alt ?? '').replace(/\s+/g, ' ').trim(), attributes.src) : ''
}

/** Single spaces between words, none at the ends of lines. */
function tidied(text: string, lineBreak: string): string {
  const lines = text.split(lineBreak).map((line) => line.replace(/[^\S\u00a0]+/g, ' ').trim())
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  return lines.join(lineBreak)
}
