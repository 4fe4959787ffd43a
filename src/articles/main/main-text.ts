/** Finds the blocks of the article: weigh, drop, choose, filter; and try again if that was too little. */
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
  /** Index of the title's block; -1 for none. */
  titlePlace: number
  host: string | undefined
  authors: readonly string[]
  /** The kind of page it claims to be. */
  kind: 'article' | 'discussion' | undefined
}

/** `said`: what class names say about each element. */
export function mainBlocks(page: Page, blocks: readonly Block[], said: Uint8Array, hints: TextHints): Block[] {
  const entries = findListEntries(page.pieces, blocks, hints.host)
  const look = (mode: Mode) => attempt(page, blocks, entries, hints, said, mode)
  let best = look('strict')
  if (sizeOfAll(best) < ENOUGH || hints.kind === 'discussion') best = larger(best, look('unnamed'), 2)
  if (hints.kind === 'article' || sizeOfAll(best) >= FULL) return best
  return larger(best, look('listing'), sizeOfAll(best) < ENOUGH ? 2 : 4)
}

/** With less text than this, try again. */
const ENOUGH = 400
/** With more text than this, a page is no mere list. */
const FULL = 1_200

/** The alternative must be larger by this factor. */
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
  // on a page that is no article, comments may be its content
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
  // if a whole first part comes before it, the text is in several boxes, and lists and tables of the first belong to it, too
  const first = before.filter((block) => isLead(block) || entries.has(block))
  const found = sizeOfAll(leads) >= SHORTEST_LEAD ? [...first, ...inside] : inside
  return removeEdgeLines(filterBlocks(page, found, entries, hints.title, mode), entries, hints.authors)
}

/** Shorter text is a subtitle. */
const SHORTEST_LEAD = 300

/** Sentences between the title and the chosen element are the lead. */
function isLead({ kind, size, linkShare, text }: Block): boolean {
  return (kind === 'paragraph' || kind === 'plain') && size >= 60 && linkShare < 0.3 && endsSentence(text)
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}
