/** Lines at the edges of a text that are about it: the date, the author, the minutes it takes to read. */
import { dateIn } from '../dates/date-in.ts'
import { lettersOf } from '../page/characters.ts'
import type { Block } from './blocks.ts'

const AT_START = 5
const AT_END = 3
const LONGEST = 110

/** The blocks without such lines among the first and the last; entries of a list are none. */
export function withoutStamps(
  blocks: readonly Block[],
  entries: ReadonlySet<Block>,
  authors: readonly string[],
): Block[] {
  const isStampLine = isStampOf(authors)
  return blocks.filter((block, i) => {
    const isEdge = i < AT_START || i >= blocks.length - AT_END
    return !isEdge || block.quote > 0 || block.kind === 'heading' || entries.has(block) || !isStampLine(block.text)
  })
}

/** Whether a line says who wrote it or when, and little else. */
export function isStampOf(authors: readonly string[]): (line: string) => boolean {
  const names = namesOf(authors)
  return (line) => line.length <= LONGEST && isStamp(line, names)
}

function namesOf(authors: readonly string[]): string[] {
  return authors.map(lettersOf).filter((name) => name.length > 2)
}

function isStamp(text: string, names: readonly string[]): boolean {
  const letters = lettersOf(text)
  for (const name of names) if (letters.includes(name) && letters.length - name.length <= 12) return true
  // Dates have digits; a line with one that says little else is there for it.
  if (!/\p{Nd}{2}/u.test(text) || /[.!?。]$/.test(text) || !dateIn(text)) return false
  return (text.match(/\p{L}{3,}/gu) ?? []).length <= 6
}
