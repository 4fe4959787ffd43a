/**
 * Splits the page's heading into the parts that its elements form. A kicker, a subtitle or a number of comments may be in
 * the same <h1>, separated by style only.
 */
import type { FoundFact } from '../article.ts'
import { normalizeLetters } from '../page/characters.ts'
import { BREAK, oneVisibleLine, type PagePiece } from '../page/piece.ts'

/**
 * The title in a heading; `titles` are the titles stated elsewhere, best first. A kicker belongs to the title only if the
 * publisher includes it in the metadata for sharing; <title> includes it more often than not.
 */
export function titleInHeading(
  pieces: readonly PagePiece[],
  heading: number,
  titles: readonly FoundFact<string>[],
): string {
  const parts = partsOf(pieces, heading)
  if (parts.length < 2) return trimSeparators(oneVisibleLine(parts[0]?.text ?? ''))
  const stated = titles.map(({ value }) => value)
  const meant = stated.map(normalizeLetters)
  const rest = parts.filter(({ isKicker }) => !isKicker)
  const own = rest.length > 0 && normalizeLetters(joined(rest, stated)).length >= SHORTEST ? rest : parts
  const [title, whole] = [joined(own, stated), joined(parts, stated)]
  for (const [index, { from }] of titles.entries()) {
    if (meant[index] === normalizeLetters(title)) return title
    if (from !== 'title-tag' && meant[index] === normalizeLetters(whole)) return whole
  }
  for (let from = 0; from < own.length; from++) {
    for (let to = own.length; to > from; to--) {
      const some = joined(own.slice(from, to), stated)
      const letters = normalizeLetters(some)
      if (letters.length >= SHORTEST && meant.includes(letters)) return some
    }
  }
  return title
}

/** Removes the separator to a kicker: "– 30 degrees" is a title, "- Mill sold" is half of one. */
export function trimSeparators(title: string): string {
  return LOOSE_END.test(title) || LOOSE_BEGINNING.test(title)
    ? title.replace(LOOSE_BEGINNING, '').replace(LOOSE_END, '')
    : title
}

const LOOSE_BEGINNING = /^(?:[:|•·]+\s*|[-–—»›/]+\s+(?!\d))+(?=\S)/
const LOOSE_END = /\s+[:|•·«‹/–—-]+$|[|•]$/

const SHORTEST = 8
const MOST_PARTS = 8
const MOST_PIECES = 200
const LONGEST = 500

interface Part {
  text: string
  isKicker: boolean
}

function partsOf(pieces: readonly PagePiece[], heading: number): Part[] {
  const parts: Part[] = []
  const end = Math.min(pieces[heading]!.end, heading + MOST_PIECES)
  let holder = -1
  let length = 0
  for (let i = heading + 1; i < end && length < LONGEST; i++) {
    const piece = pieces[i]!
    if (piece.name !== '') continue
    const round = holderOf(pieces, i, heading)
    const last = parts.at(-1)
    const isNew = round !== holder || piece.text === BREAK
    const text = piece.text === BREAK ? ' ' : piece.text
    length += text.length
    if (last && (!isNew || !/\S/.test(text) || parts.length >= MOST_PARTS)) last.text += text
    else parts.push({ text, isKicker: KICKER.test(pieces[round]!.attributes.class ?? '') })
    if (/\S/.test(text)) holder = round
  }
  return parts.filter(({ text }) => /\S/.test(text))
}

/** The element that separates a text from its neighbours; emphasis does not. */
function holderOf(pieces: readonly PagePiece[], index: number, heading: number): number {
  let at = pieces[index]!.parent
  while (at > heading && EMPHASIS.has(pieces[at]!.name)) at = pieces[at]!.parent
  return Math.max(at, heading)
}

const EMPHASIS: ReadonlySet<string> = new Set(
  'em i b strong u s q cite abbr sub sup mark font bdi wbr code tt'.split(' '),
)

/** Class names of kickers. */
const KICKER =
  /(?:^|[\s_-])(?:\w{0,12}kicker|dachzeile|oberzeile|spitzmarke|overline|over-title|eyebrow|top-?line|roofline|super-?title|pre-?title|pre-?head(?:line)?|antetitulo|surtitre|occhiello|chapeau)(?:$|[\s_-])/i

/** On one line, with a space where only style separates two words, unless the page joins them elsewhere. */
function joined(parts: readonly Part[], stated: readonly string[]): string {
  let line = ''
  for (const { text } of parts) {
    const isGlued = GLUED.test(line.slice(-1)) && BEGINS.test(text)
    line += isGlued && !isOneWord(line, text, stated) ? ` ${text}` : text
  }
  return trimSeparators(oneVisibleLine(line.slice(0, LONGEST)))
}

const GLUED = /[\p{Ll}\p{N}\p{Pe}\p{Pf}.!?:;]/u
const BEGINS = /^[\p{Lu}\p{N}\p{Ps}\p{Pi}„]/u

function isOneWord(line: string, text: string, stated: readonly string[]): boolean {
  const seam = (/\S+$/.exec(line)?.[0] ?? '') + (/^\S+/.exec(text)?.[0] ?? '')
  return stated.some((title) => title.includes(seam))
}
