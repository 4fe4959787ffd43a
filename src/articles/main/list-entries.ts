/**
 * Finds lists that are the article, or part of it: ten books, the week's releases, links worth reading. They resemble the
 * link lists around articles, except that entries contain text of their own beside the link ("by Ada Byron"), or link to
 * other sites. It takes three similar entries in a row.
 */
import { parsePageDate } from '../dates/parse-page-date.ts'
import { normalizeLetters } from '../page/characters.ts'
import type { PageNode } from '../page/page-node.ts'
import type { Block } from './blocks.ts'
import { isBoilerplateHeading } from './boilerplate-phrases.ts'
import { leadsInside } from './teasers.ts'

/** The blocks that are such entries. */
export function findListEntries(
  nodes: readonly PageNode[],
  blocks: readonly Block[],
  host: string | undefined,
): ReadonlySet<Block> {
  const entries = new Set<Block>()
  const site = host?.replace(/^www\./, '')
  for (const { from, to, heading } of seriesIn(nodes, blocks)) {
    if (isBoilerplateHeading(heading)) continue
    const series = blocks.slice(from, to)
    const found = isData(series) ? series : series.filter((block) => isEntry(nodes, block, site))
    if (found.length >= MIN_ENTRIES && found.length >= 0.7 * series.length)
      for (const block of found) entries.add(block)
  }
  return entries
}

/** Similar neighbours; end exclusive. */
interface EntrySeries {
  from: number
  to: number
  /** The line before it, if short. */
  heading: string
}

function seriesIn(nodes: readonly PageNode[], blocks: readonly Block[]): EntrySeries[] {
  const allSeries: EntrySeries[] = []
  let line = ''
  let heading = ''
  let row = -1
  let from = 0
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    const rowIndex = rowOf(nodes, block)
    if (rowIndex !== row) {
      if (row >= 0 && i - from >= MIN_ENTRIES) allSeries.push({ from, to: i, heading })
      row = rowIndex
      heading = line
      from = i
    }
    if (rowIndex < 0 || block.list === 0) line = block.size < MAX_HEADING_LENGTH ? block.text : ''
  }
  if (row >= 0 && blocks.length - from >= MIN_ENTRIES) allSeries.push({ from, to: blocks.length, heading })
  return allSeries
}

const MIN_ENTRIES = 3
const MAX_ENTRY_LENGTH = 300
const MAX_HEADING_LENGTH = 80
/** A shorter link text is a button, or a name. */
const MIN_LINK_LENGTH = 12
const MIN_LETTERS = 4

/** What the blocks of one series have in common; -1 for none. */
function rowOf(nodes: readonly PageNode[], { kind, list, table, home, size }: Block): number {
  if (size > MAX_ENTRY_LENGTH) return -1
  if (table > 0) return table
  if (list > 0 && (kind === 'item' || kind === 'heading' || kind === 'paragraph')) return list
  return kind === 'paragraph' ? nodes[home]!.parent : -1
}

/** The cells of a table that are mostly not links. */
function isData(series: readonly Block[]): boolean {
  return series[0]!.table > 0 && series.filter(({ linkShare }) => linkShare < 0.3).length >= 0.4 * series.length
}

function isEntry(nodes: readonly PageNode[], block: Block, host: string | undefined): boolean {
  if (block.table > 0) return false
  if (block.kind === 'heading') return block.linkShare < 0.5 || leadsAway(nodes, block, host)
  if (block.linkShare < (block.kind === 'item' ? 0.1 : 0.3)) return false
  return hasOwnText(nodes, block) || ((block.kind === 'item' || block.list > 0) && leadsAway(nodes, block, host))
}

/** The item has text beside its link that is not only a date. */
function hasOwnText(nodes: readonly PageNode[], { from, to, linkShare, text }: Block): boolean {
  if ((1 - linkShare) * text.length < MIN_LETTERS) return false
  let ownText = ''
  for (let i = from; i < to; i++) if (nodes[i]!.link === 0) ownText += nodes[i]!.text
  const letters = normalizeLetters(ownText)
  if (!/\p{L}{2}/u.test(ownText) || letters.length < MIN_LETTERS) return false
  return letters.length > 24 || !/\p{Nd}/u.test(ownText) || !parsePageDate(ownText)
}

function leadsAway(nodes: readonly PageNode[], { kind, from, to, size }: Block, host: string | undefined): boolean {
  if ((size < MIN_LINK_LENGTH && kind !== 'heading') || host === undefined) return false
  for (let i = from; i < to; i++) {
    const { link } = nodes[i]!
    if (link > 0) return !leadsInside(nodes[link]!.attributes.href ?? '', host)
  }
  return false
}
