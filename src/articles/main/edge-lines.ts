/** Removes lines at the edges of a text that are about it: date, author, reading time, advertising disclosures. */
import { parsePageDate } from '../dates/parse-page-date.ts'
import { normalizeLetters } from '../page/characters.ts'
import type { Block } from './blocks.ts'
import { isNotice } from './boilerplate-phrases.ts'

const AT_START = 5
const AT_END = 3
const MAX_LINE_LENGTH = 110
const MAX_NOTICE_LENGTH = 400

/** Removes such lines among the first and last blocks, and notes on the author; entries of a list are kept. */
export function removeEdgeLines(
  blocks: readonly Block[],
  entries: ReadonlySet<Block>,
  authors: readonly string[],
): Block[] {
  const isStampLine = edgeLineTest(authors)
  const isAboutIt = ({ text, size }: Block) => isStampLine(text) || (size < MAX_NOTICE_LENGTH && isNotice(text))
  return withoutBio(blocks, authors).filter((block, i, { length }) => {
    const isEdge = i < AT_START || i >= length - AT_END
    return !isEdge || block.quote > 0 || block.kind === 'heading' || entries.has(block) || !isAboutIt(block)
  })
}

/** Many texts end with a note on the author: "Ada Byron is a writer", and more about them. */
function withoutBio(blocks: readonly Block[], authors: readonly string[]): readonly Block[] {
  const start = Math.max(1, blocks.length - LAST)
  const behind = blocks.slice(start).findIndex(({ text }) => authors.some((name) => isAbout(text, name)))
  if (behind < 0) return blocks
  const bio = start + behind
  const sizeOf = (selected: readonly Block[]) => selected.reduce((sum, { size }) => sum + size, 0)
  return sizeOf(blocks.slice(bio)) < 0.25 * sizeOf(blocks) ? blocks.slice(0, bio) : blocks
}

const LAST = 5

function isAbout(text: string, name: string): boolean {
  return name.includes(' ') && text.startsWith(name) && IS.test(text.slice(name.length, name.length + 24))
}

const IS =
  /^,? (?:is|was|has|covers|writes|reports|works|joined|ist|schreibt|arbeitet|est|écrit|es|escribe|è|scrive|é|escreve|jest|pisze|är|er|on|schrijft) /

/** Tests whether a line gives author or date, and little else. */
export function edgeLineTest(authors: readonly string[]): (line: string) => boolean {
  const names = namesOf(authors)
  return (line) => line.length <= MAX_LINE_LENGTH && isStamp(line, names)
}

function namesOf(authors: readonly string[]): string[] {
  return authors.map(normalizeLetters).filter((name) => name.length > 2)
}

function isStamp(text: string, names: readonly string[]): boolean {
  const letters = normalizeLetters(text)
  for (const name of names) if (letters.includes(name) && letters.length - name.length <= 12) return true
  // dates contain digits; a short line with one is a date line
  if (!/\p{Nd}{2}/u.test(text) || /[.!?。]$/.test(text) || !parsePageDate(text)) return false
  return (text.match(/\p{L}{3,}/gu) ?? []).length <= 6 || (text.match(/\p{L}\s?:\s/gu) ?? []).length >= 2
}
