/** Lays out an article for a terminal: wraps lines, marks lists and quotations, and removes control characters. */
import type { Passage } from '../articles/index.ts'
import { printable } from '../model/index.ts'
import { letterWidth, widthOf } from './io.ts'

const MIN_TEXT_WIDTH = 20
const GAP = '  '

export interface LayoutLine {
  text: string
  isHeading: boolean
}

export function layOut(passages: readonly Passage[], width: number): LayoutLine[] {
  const lines: LayoutLine[] = []
  let before: Passage | undefined
  for (const passage of passages) {
    if (before && !(isListItem(before) && isListItem(passage))) lines.push({ text: '', isHeading: false })
    const isHeading = passage.kind === 'heading'
    for (const text of linesOf(passage, width)) lines.push({ text, isHeading })
    before = passage
  }
  return lines
}

function linesOf(passage: Passage, width: number): string[] {
  const { kind, lead, indent, text, rows } = passage
  const available = Math.max(MIN_TEXT_WIDTH, width - indent.length)
  const margin = (line: string, i: number) => ((i === 0 ? lead : indent) + line).trimEnd()
  switch (kind) {
    case 'heading':
      return wrapText(text, available).map(margin)
    case 'paragraph':
      return text
        .split('\n')
        .flatMap((line) => wrapText(line, available))
        .map(margin)
    case 'code':
      return text
        .split('\n')
        .map((line) => `    ${printable(line)}`)
        .map(margin)
    case 'rule':
      return [margin('-'.repeat(Math.min(available, 40)), 0)]
    case 'table':
      return rows.flatMap((cells) => wrapText(cells.join(GAP), available)).map(margin)
  }
}

/** Wraps text at spaces, and between letters of scripts without spaces. */
export function wrapText(text: string, available: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const put = (word: string, width: number, space: string) => {
    const gap = line === '' ? '' : space
    if (line !== '' && used + gap.length + width > available) {
      lines.push(line)
      line = word
      used = width
    } else {
      line += gap + word
      used += gap.length + width
    }
  }
  for (const word of printable(text).split(' ')) {
    let space = ' '
    for (const part of splitWord(word, available)) {
      put(part, widthOf(part), space)
      space = ''
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** Splits a word where a line may break. Punctuation such as 。 stays with the letter before it. */
function splitWord(word: string, available: number): string[] {
  if (widthOf(word) === word.length && word.length <= available) return [word]
  const parts: string[] = []
  let part = ''
  let width = 0
  let wasWide = false
  for (const letter of word) {
    const letterColumns = letterWidth(letter)
    const mayEnd = (wasWide || letterColumns === 2) && !NEVER_STARTS_LINE.test(letter)
    if (part !== '' && (mayEnd || width + letterColumns > available)) {
      parts.push(part)
      part = ''
      width = 0
    }
    part += letter
    width += letterColumns
    wasWide = letterColumns === 2
  }
  return part === '' ? parts : [...parts, part]
}

const NEVER_STARTS_LINE = /[\p{Pe}\p{Pf}\p{Po}\u30fc\u3005]/u

function isListItem({ lead, indent }: Passage): boolean {
  return lead !== indent
}
