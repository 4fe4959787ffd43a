/** The blocks of a page that are its article: weigh, take away, choose, filter; and look again if that was too little. */
import type { Page } from '../page/piece.ts'
import { dropOutsideRange } from './article-range.ts'
import type { Block } from './blocks.ts'
import { chooseMain } from './choose.ts'
import { dropComments } from './comments.ts'
import { removeEdgeLines } from './edge-lines.ts'
import { filterBlocks } from './filter.ts'
import { findListEntries } from './list-entries.ts'
import { prune, pruneBoxes, pruneLines } from './prune.ts'
import type { Mode, SearchState } from './search-state.ts'
import { dropNextArticles, dropTeasers } from './teasers.ts'
import { createWeights, endsSentence, weighBlocks, weighElements } from './weights.ts'

export interface TextHints {
  title: string
  /** Index of the block that is the title; -1 when there is none. */
  titlePlace: number
  host: string | undefined
  authors: readonly string[]
  /** What the page says of itself, if it says something. */
  kind: 'article' | 'discussion' | undefined
}

/** `said`: what the names of each element say. */
export function mainBlocks(page: Page, blocks: readonly Block[], said: Uint8Array, hints: TextHints): Block[] {
  const entries = findListEntries(page.pieces, blocks, hints.host)
  const look = (mode: Mode) => attempt(page, blocks, entries, hints, said, mode)
  let best = look('strict')
  if (sizeOfAll(best) < ENOUGH || hints.kind === 'discussion') best = larger(best, look('unnamed'), 2)
  if (hints.kind === 'article' || sizeOfAll(best) >= FULL) return best
  return larger(best, look('listing'), sizeOfAll(best) < ENOUGH ? 2 : 4)
}

/** With less than that, it is worth looking again. */
const ENOUGH = 400
/** With more than that, a page has a text of its own, and no list can be meant. */
const FULL = 1_200

/** The other one must be so many times as large. */
function larger(best: Block[], other: Block[], times: number): Block[] {
  return sizeOfAll(other) > times * sizeOfAll(best) ? other : best
}

function attempt(
  page: Page,
  blocks: readonly Block[],
  entries: ReadonlySet<Block>,
  hints: TextHints,
  said: Uint8Array,
  mode: Mode,
): Block[] {
  const { pieces } = page
  const { titlePlace, host } = hints
  const dropped = new Uint8Array(pieces.length)
  const heard = mode === 'strict' ? said : new Uint8Array(pieces.length)
  const worths = weighBlocks(blocks, entries, mode)
  const weights = createWeights(pieces.length)
  const scene: SearchState = {
    page,
    pieces,
    blocks,
    entries,
    worths,
    weights,
    dropped,
    said: heard,
    titlePlace,
    host,
    isArticle: hints.kind === 'article',
  }
  weighElements(scene)
  // On a page that is no article, what readers write may be what the page is for.
  if (mode === 'strict' || hints.kind === 'article') dropComments(scene, said)
  weighElements(scene)
  prune(scene)
  pruneLines(scene)
  if (mode !== 'listing') {
    weighElements(scene)
    pruneBoxes(scene)
    weighElements(scene)
    dropTeasers(scene)
    weighElements(scene)
    dropNextArticles(scene)
  }
  dropOutsideRange(scene)
  weighElements(scene)
  const top = chooseMain(scene)
  const left = blocks.filter(({ from }) => dropped[from] === 0 && from < pieces[top]!.end)
  const inside = left.filter(({ from }) => from > top)
  const before = left.filter(({ from }) => from < top)
  const leads = before.filter(isLead)
  // With a whole first part before it, the text stands in several boxes, and lists and tables of the first are the text's, too.
  const first = before.filter((block) => isLead(block) || entries.has(block))
  const found = sizeOfAll(leads) >= SHORTEST_LEAD ? [...first, ...inside] : inside
  return removeEdgeLines(filterBlocks(page, found, entries, hints.title, mode), entries, hints.authors)
}

/** Less than that is a subtitle. */
const SHORTEST_LEAD = 300

/** Between the title and the element that was chosen, sentences are the lead. */
function isLead({ kind, size, linkShare, text }: Block): boolean {
  return (kind === 'paragraph' || kind === 'plain') && size >= 60 && linkShare < 0.3 && endsSentence(text)
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}
