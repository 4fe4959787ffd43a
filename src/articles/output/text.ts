/** Writes blocks as plain text: an empty line between paragraphs, a line per list item, a tab between cells. */
import type { Block } from '../main/blocks.ts'
import type { PageNode } from '../page/page-node.ts'

export function blocksToText(nodes: readonly PageNode[], blocks: readonly Block[]): string {
  const parts: string[] = []
  let before: Block | undefined
  for (const block of blocks) {
    if (before) parts.push(between(nodes, before, block))
    parts.push(block.text)
    before = block
  }
  return parts.join('')
}

function between(nodes: readonly PageNode[], before: Block, block: Block): string {
  if (block.list === 0 || block.list !== before.list || block.home === before.home) return '\n\n'
  if (block.kind === 'cell' && before.kind === 'cell' && nodes[block.home]!.parent === nodes[before.home]!.parent)
    return '\t'
  return '\n'
}
