/** Passages on a terminal: wrapped to its width, lists and quotations with their signs, nothing that moves the cursor. */
import type { Passage } from '../articles/index.ts'
import { printable } from '../model/index.ts'
import { letterWidth, widthOf } from './io.ts'

const NARROWEST = 20
const GAP = '  '

export interface LaidLine {
  text: string
  isHeading: boolean
}

export function layOut(passages: readonly Passage[], width: number): LaidLine[] {
  const lines: LaidLine[] = []
  let before: Passage | undefined
  for (const passage of passages) {
    if (before && !(isItem(before) && isItem(passage))) lines.push({ text: '', isHeading: false })
    const isHeading = passage.kind === 'heading'
    for (const text of linesOf(passage, width)) lines.push({ text, isHeading })
    before = passage
  }
  return lines
}

function linesOf(passage: Passage, width: number): string[] {
  const { kind, lead, indent, text, rows } = passage
  const room = Math.max(NARROWEST, width - indent.length)
  const margin = (line: string, i: number) => ((i === 0 ? lead : indent) + line).trimEnd()
  switch (kind) {
    case 'heading':
      return wrapped(text, room).map(margin)
    case 'paragraph':
      return text
        .split('\n')
        .flatMap((line) => wrapped(line, room))
        .map(margin)
    case 'code':
      return text
        .split('\n')
        .map((line) => `    ${printable(line)}`)
        .map(margin)
    case 'rule':
      return [margin('-'.repeat(Math.min(room, 40)), 0)]
    case 'table':
      return rows.flatMap((cells) => wrapped(cells.join(GAP), room)).map(margin)
  }
}

/** Lines no wider than the room: broken at spaces, and between letters of scripts that have none. */
export function wrapped(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const put = (word: string, width: number, space: string) => {
    const gap = line === '' ? '' : space
    if (line !== '' && used + gap.length + width > room) {
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
    for (const piece of breakable(word, room)) {
      put(piece, widthOf(piece), space)
      space = ''
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** The parts of a word between which a line may end. Signs such as 。 stay with the letter before them. */
function breakable(word: string, room: number): string[] {
  if (widthOf(word) === word.length && word.length <= room) return [word]
  const parts: string[] = []
  let part = ''
  let width = 0
  let wasWide = false
  for (const letter of word) {
    const own = letterWidth(letter)
    const mayEnd = (wasWide || own === 2) && !STAYS.test(letter)
    if (part !== '' && (mayEnd || width + own > room)) {
      parts.push(part)
      part = ''
      width = 0
    }
    part += letter
    width += own
    wasWide = own === 2
  }
  return part === '' ? parts : [...parts, part]
}

const STAYS = /[\p{Pe}\p{Pf}\p{Po}\u30fc\u3005]/u

function isItem({ lead, indent }: Passage): boolean {
  return lead !== indent
}
