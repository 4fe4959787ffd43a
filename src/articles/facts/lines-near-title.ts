/** The lines near the title, where pages show who wrote the article and when. */
import type { Block } from '../main/blocks.ts'
import { normalizeLetters } from '../page/characters.ts'
import type { PageNode } from '../page/page-node.ts'
import { isUnrelated } from './unrelated-parts.ts'

/** Short lines, likeliest first: those after the title in order, then those before it, backwards. */
export function linesNearTitle(nodes: readonly PageNode[], blocks: readonly Block[], titleBlock: number): Block[] {
  const behind = blocks.slice(titleBlock + 1, titleBlock + 1 + BEHIND)
  const before = blocks.slice(Math.max(0, titleBlock - BEFORE), Math.max(0, titleBlock)).reverse()
  const titleNode = blocks[titleBlock]?.from
  const unrelatedCache = new Set<number>()
  return [...behind, ...before].filter(
    ({ text, from }) => text.length <= MAX_LINE_LENGTH && !isUnrelated(nodes, from, titleNode, unrelatedCache),
  )
}

const BEHIND = 16
const BEFORE = 8
const MAX_LINE_LENGTH = 250

/** The largest heading that is the title, else the first block that is; -1 for none. */
export function indexOfTitle(blocks: readonly Block[], title: string): number {
  const letters = normalizeLetters(title)
  if (letters === '') return -1
  let best = -1
  for (let i = nextAsLong(blocks, title, 0); i < blocks.length; i = nextAsLong(blocks, title, i + 1)) {
    if (isTitle(blocks[i]!, letters) && (best < 0 || rank(blocks[i]!) < rank(blocks[best]!))) best = i
  }
  return best
}

/** Index of the next block with about the title's length. */
function nextAsLong(blocks: readonly Block[], title: string, from: number): number {
  for (let i = from; i < blocks.length; i++) {
    const { text, level } = blocks[i]!
    if (text.length >= 0.6 * title.length && text.length <= (level === 1 ? 3 : 1.6) * title.length) return i
  }
  return blocks.length
}

function isTitle({ text, level, linkShare }: Block, letters: string): boolean {
  if (linkShare > 0.9 && level !== 1) return false
  const blockLetters = normalizeLetters(text)
  return (
    blockLetters === letters || (level === 1 && (blockLetters.startsWith(letters) || blockLetters.endsWith(letters)))
  )
}

function rank({ kind, level }: Block): number {
  return kind === 'heading' ? level : 7
}
