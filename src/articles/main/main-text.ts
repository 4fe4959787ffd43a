/** Finds the blocks of the article: weigh, drop, choose, filter; and try again if that was too little. */
import type { Page } from '../page/page-node.ts'
import { dropOutsideRange } from './article-range.ts'
import type { Block } from './blocks.ts'
import { chooseMain } from './choose.ts'
import { dropComments } from './comments.ts'
import { removeEdgeLines } from './edge-lines.ts'
import { filterBlocks } from './filter.ts'
import { findListEntries } from './list-entries.ts'
import { prune, pruneBoxes, pruneLines } from './prune.ts'
import type { SearchMode, SearchState } from './search-state.ts'
import { dropNextArticles, dropTeasers } from './teasers.ts'
import { createWeights, endsSentence, weighBlocks, weighElements } from './weights.ts'

export interface TextHints {
  title: string
  /** Index of the title's block; -1 for none. */
  titleBlock: number
  host: string | undefined
  authors: readonly string[]
  /** The kind of page it claims to be. */
  kind: 'article' | 'discussion' | undefined
}

/** `nameFlags`: of each element, by class names. */
export function mainBlocks(page: Page, blocks: readonly Block[], nameFlags: Uint8Array, hints: TextHints): Block[] {
  const entries = findListEntries(page.nodes, blocks, hints.host)
  const find = (mode: SearchMode) => findWithMode(page, blocks, entries, hints, nameFlags, mode)
  let best = find('strict')
  if (sizeOfAll(best) < MIN_CHARS || hints.kind === 'discussion') best = larger(best, find('unnamed'), 2)
  if (hints.kind === 'article' || sizeOfAll(best) >= FULL_ARTICLE_CHARS) return best
  return larger(best, find('listing'), sizeOfAll(best) < MIN_CHARS ? 2 : 4)
}

/** With less text than this, try again. */
const MIN_CHARS = 400
/** With more text than this, a page is no mere list. */
const FULL_ARTICLE_CHARS = 1_200

/** The alternative must be larger by this factor. */
function larger(best: Block[], alternative: Block[], times: number): Block[] {
  return sizeOfAll(alternative) > times * sizeOfAll(best) ? alternative : best
}

function findWithMode(
  page: Page,
  blocks: readonly Block[],
  entries: ReadonlySet<Block>,
  hints: TextHints,
  allFlags: Uint8Array,
  mode: SearchMode,
): Block[] {
  const { nodes } = page
  const { titleBlock, host } = hints
  const dropped = new Uint8Array(nodes.length)
  const nameFlags = mode === 'strict' ? allFlags : new Uint8Array(nodes.length)
  const worths = weighBlocks(blocks, entries, mode)
  const weights = createWeights(nodes.length)
  const state: SearchState = {
    page,
    nodes,
    blocks,
    entries,
    worths,
    weights,
    dropped,
    nameFlags,
    titleBlock,
    host,
    isArticle: hints.kind === 'article',
  }
  weighElements(state)
  // on a page that is no article, comments may be its content
  if (mode === 'strict' || hints.kind === 'article') dropComments(state, allFlags)
  weighElements(state)
  prune(state)
  pruneLines(state)
  if (mode !== 'listing') {
    weighElements(state)
    pruneBoxes(state)
    weighElements(state)
    dropTeasers(state)
    weighElements(state)
    dropNextArticles(state)
  }
  dropOutsideRange(state)
  weighElements(state)
  const top = chooseMain(state)
  const remaining = blocks.filter(({ from }) => dropped[from] === 0 && from < nodes[top]!.end)
  const inside = remaining.filter(({ from }) => from > top)
  const before = remaining.filter(({ from }) => from < top)
  const leads = before.filter(isLead)
  // if a whole first part comes before it, the text is in several boxes, and lists and tables of the first belong to it, too
  const first = before.filter((block) => isLead(block) || entries.has(block))
  const found = sizeOfAll(leads) >= MIN_LEAD_LENGTH ? [...first, ...inside] : inside
  return removeEdgeLines(filterBlocks(page, found, entries, hints.title, mode), entries, hints.authors)
}

/** Shorter text is a subtitle. */
const MIN_LEAD_LENGTH = 300

/** Sentences between the title and the chosen element are the lead. */
function isLead({ kind, size, linkShare, text }: Block): boolean {
  return (kind === 'paragraph' || kind === 'plain') && size >= 60 && linkShare < 0.3 && endsSentence(text)
}

function sizeOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { size }) => sum + size, 0)
}
