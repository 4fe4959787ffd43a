/** Writes blocks as plain text: an empty line between paragraphs, a line per list item, a tab between cells. */
import type { Block } from '../main/blocks.ts'
import type { PagePiece } from '../page/piece.ts'

export function blocksToText(pieces: readonly PagePiece[], blocks: readonly Block[]): string {
  const parts: string[] = []
  let before: Block | undefined
  for (const block of blocks) {
    if (before) parts.push(between(pieces, before, block))
    parts.push(block.text)
    before = block
  }
  return parts.join('')
}

function between(pieces: readonly PagePiece[], before: Block, block: Block): string {
  if (block.list === 0 || block.list !== before.list || block.home === before.home) return '\n\n'
  if (block.kind === 'cell' && before.kind === 'cell' && pieces[block.home]!.parent === pieces[before.home]!.parent)
    return '\t'
  return '\n'
}
