/** The lines round the title, where pages say for people who wrote it and when. */
import type { Block } from '../main/blocks.ts'
import { lettersOf } from '../page/characters.ts'
import type { PagePiece } from '../page/piece.ts'
import { isElsewhere } from './elsewhere.ts'

/** Short lines, the likeliest first: those behind the title in order, then those before it, backwards. */
export function linesByTitle(pieces: readonly PagePiece[], blocks: readonly Block[], place: number): Block[] {
  const behind = blocks.slice(place + 1, place + 1 + BEHIND)
  const before = blocks.slice(Math.max(0, place - BEFORE), Math.max(0, place)).reverse()
  const titlePiece = blocks[place]?.from
  const sound = new Set<number>()
  return [...behind, ...before].filter(
    ({ text, from }) => text.length <= LONGEST_LINE && !isElsewhere(pieces, from, titlePiece, sound),
  )
}

const BEHIND = 16
const BEFORE = 8
const LONGEST_LINE = 250

/** The largest heading that is the title, else the first block that is. */
export function placeOfTitle(blocks: readonly Block[], title: string | undefined): number | undefined {
  const letters = lettersOf(title ?? '')
  if (letters === '') return undefined
  let best: number | undefined
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!
    const { length } = block.text
    if (length < 0.6 * title!.length || length > (block.level === 1 ? 3 : 1.6) * title!.length) continue
    if (block.linkShare > 0.9 && block.level !== 1) continue
    const own = lettersOf(block.text)
    if (own !== letters && !(block.level === 1 && (own.startsWith(letters) || own.endsWith(letters)))) continue
    if (best === undefined || rank(block) < rank(blocks[best]!)) best = i
  }
  return best
}

function rank({ kind, level }: Block): number {
  return kind === 'heading' ? level : 7
}
