/**
 * Finds lists that are the article, or part of it: ten books, the week's releases, links worth reading. They resemble the
 * link lists around articles, except that entries contain text of their own beside the link ("by Ada Byron"), or link to
 * other sites. It takes three similar entries in a row.
 */
import { parsePageDate } from '../dates/parse-page-date.ts'
import { normalizeLetters } from '../page/characters.ts'
import type { PagePiece } from '../page/piece.ts'
import type { Block } from './blocks.ts'
import { isBoilerplateHeading } from './boilerplate-phrases.ts'
import { leadsInside } from './teasers.ts'

/** The blocks that are such entries. */
export function findListEntries(
  pieces: readonly PagePiece[],
  blocks: readonly Block[],
  host: string | undefined,
): ReadonlySet<Block> {
  const entries = new Set<Block>()
  const site = host?.replace(/^www\./, '')
  for (const { from, to, heading } of seriesIn(pieces, blocks)) {
    if (isBoilerplateHeading(heading)) continue
    const series = blocks.slice(from, to)
    const found = isData(series) ? series : series.filter((block) => isEntry(pieces, block, site))
    if (found.length >= FEWEST && found.length >= 0.7 * series.length) for (const block of found) entries.add(block)
  }
  return entries
}

/** Similar neighbours; end exclusive. */
interface Series {
  from: number
  to: number
  /** The line before it, if short. */
  heading: string
}

function seriesIn(pieces: readonly PagePiece[], blocks: readonly Block[]): Series[] {
  const all: Series[] = []
  let line = ''
  let heading = ''
  let row = -1
  let from = 0
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    const own = rowOf(pieces, block)
    if (own !== row) {
      if (row >= 0 && i - from >= FEWEST) all.push({ from, to: i, heading })
      row = own
      heading = line
      from = i
    }
    if (own < 0 || block.list === 0) line = block.size < LONGEST_HEADING ? block.text : ''
  }
  if (row >= 0 && blocks.length - from >= FEWEST) all.push({ from, to: blocks.length, heading })
  return all
}

const FEWEST = 3
const LONGEST = 300
const LONGEST_HEADING = 80
/** A shorter link text is a button, or a name. */
const SHORTEST_LINK = 12
const FEWEST_LETTERS = 4

/** What the blocks of one series have in common; -1 for none. */
function rowOf(pieces: readonly PagePiece[], { kind, list, table, home, size }: Block): number {
  if (size > LONGEST) return -1
  if (table > 0) return table
  if (list > 0 && (kind === 'item' || kind === 'heading' || kind === 'paragraph')) return list
  return kind === 'paragraph' ? pieces[home]!.parent : -1
}

/** The cells of a table that are mostly not links. */
function isData(series: readonly Block[]): boolean {
  return series[0]!.table > 0 && series.filter(({ linkShare }) => linkShare < 0.3).length >= 0.4 * series.length
}

function isEntry(pieces: readonly PagePiece[], block: Block, host: string | undefined): boolean {
  if (block.table > 0) return false
  if (block.kind === 'heading') return block.linkShare < 0.5 || leadsAway(pieces, block, host)
  if (block.linkShare < (block.kind === 'item' ? 0.1 : 0.3)) return false
  return saysMore(pieces, block) || ((block.kind === 'item' || block.list > 0) && leadsAway(pieces, block, host))
}

/** It has text beside its link that is not only a date. */
function saysMore(pieces: readonly PagePiece[], { from, to, linkShare, text }: Block): boolean {
  if ((1 - linkShare) * text.length < FEWEST_LETTERS) return false
  let own = ''
  for (let i = from; i < to; i++) if (pieces[i]!.link === 0) own += pieces[i]!.text
  const letters = normalizeLetters(own)
  if (!/\p{L}{2}/u.test(own) || letters.length < FEWEST_LETTERS) return false
  return letters.length > 24 || !/\p{Nd}/u.test(own) || !parsePageDate(own)
}

function leadsAway(pieces: readonly PagePiece[], { kind, from, to, size }: Block, host: string | undefined): boolean {
  if ((size < SHORTEST_LINK && kind !== 'heading') || host === undefined) return false
  for (let i = from; i < to; i++) {
    const { link } = pieces[i]!
    if (link > 0) return !leadsInside(pieces[link]!.attributes.href ?? '', host)
  }
  return false
}
