/** Lines at the edges of a text that are about it: the date, the author, the minutes it takes to read. */
import { dateIn } from '../dates/date-in.ts'
import { lettersOf } from '../page/characters.ts'
import type { Block } from './blocks.ts'

const AT_START = 5
const AT_END = 3
const LONGEST = 110

/** The blocks without such lines among the first and the last. */
export function withoutStamps(blocks: readonly Block[], authors: readonly string[]): Block[] {
  const names = authors.map(lettersOf).filter((name) => name.length > 2)
  return blocks.filter((block, i) => {
    const isEdge = i < AT_START || i >= blocks.length - AT_END
    return (
      !isEdge ||
      block.quote > 0 ||
      block.kind === 'heading' ||
      block.text.length > LONGEST ||
      !isStamp(block.text, names)
    )
  })
}

function isStamp(text: string, names: readonly string[]): boolean {
  const letters = lettersOf(text)
  for (const name of names) if (letters.includes(name) && letters.length - name.length <= 12) return true
  // Dates have digits; a line with one that says little else is there for it.
  if (!/\p{Nd}{2}/u.test(text) || /[.!?。]$/.test(text) || !dateIn(text)) return false
  return (text.match(/\p{L}{3,}/gu) ?? []).length <= 6
}
