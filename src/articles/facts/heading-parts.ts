/**
 * Splits the page's heading into the parts that its elements form. A kicker, a subtitle or a number of comments may be in
 * the same <h1>, separated by style only.
 */
import type { FoundFact } from '../article.ts'
import { normalizeLetters } from '../page/characters.ts'
import { BREAK, oneVisibleLine, type PageNode } from '../page/page-node.ts'

/**
 * The title in a heading; `titles` are the titles stated elsewhere, best first. A kicker belongs to the title only if the
 * publisher includes it in the metadata for sharing; <title> includes it more often than not.
 */
export function titleInHeading(
  nodes: readonly PageNode[],
  heading: number,
  titles: readonly FoundFact<string>[],
): string {
  const parts = partsOf(nodes, heading)
  if (parts.length < 2) return trimSeparators(oneVisibleLine(parts[0]?.text ?? ''))
  const stated = titles.map(({ value }) => value)
  const statedLetters = stated.map(normalizeLetters)
  const withoutKickers = parts.filter(({ isKicker }) => !isKicker)
  const ownParts =
    withoutKickers.length > 0 && normalizeLetters(joinParts(withoutKickers, stated)).length >= MIN_TITLE_LETTERS
      ? withoutKickers
      : parts
  const [title, whole] = [joinParts(ownParts, stated), joinParts(parts, stated)]
  for (const [index, { from }] of titles.entries()) {
    if (statedLetters[index] === normalizeLetters(title)) return title
    if (from !== 'title-tag' && statedLetters[index] === normalizeLetters(whole)) return whole
  }
  for (let from = 0; from < ownParts.length; from++) {
    for (let to = ownParts.length; to > from; to--) {
      const candidate = joinParts(ownParts.slice(from, to), stated)
      const letters = normalizeLetters(candidate)
      if (letters.length >= MIN_TITLE_LETTERS && statedLetters.includes(letters)) return candidate
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

const MIN_TITLE_LETTERS = 8
const MAX_PARTS = 8
const MAX_NODES = 200
const MAX_HEADING_LENGTH = 500

interface Part {
  text: string
  isKicker: boolean
}

function partsOf(nodes: readonly PageNode[], heading: number): Part[] {
  const parts: Part[] = []
  const end = Math.min(nodes[heading]!.end, heading + MAX_NODES)
  let holder = -1
  let length = 0
  for (let i = heading + 1; i < end && length < MAX_HEADING_LENGTH; i++) {
    const node = nodes[i]!
    if (node.name !== '') continue
    const round = holderOf(nodes, i, heading)
    const last = parts.at(-1)
    const isNew = round !== holder || node.text === BREAK
    const text = node.text === BREAK ? ' ' : node.text
    length += text.length
    if (last && (!isNew || !/\S/.test(text) || parts.length >= MAX_PARTS)) last.text += text
    else parts.push({ text, isKicker: KICKER.test(nodes[round]!.attributes.class ?? '') })
    if (/\S/.test(text)) holder = round
  }
  return parts.filter(({ text }) => /\S/.test(text))
}

/** The element that separates a text from its neighbours; emphasis does not. */
function holderOf(nodes: readonly PageNode[], index: number, heading: number): number {
  let at = nodes[index]!.parent
  while (at > heading && EMPHASIS.has(nodes[at]!.name)) at = nodes[at]!.parent
  return Math.max(at, heading)
}

const EMPHASIS: ReadonlySet<string> = new Set(
  'em i b strong u s q cite abbr sub sup mark font bdi wbr code tt'.split(' '),
)

/** Class names of kickers. */
const KICKER =
  /(?:^|[\s_-])(?:\w{0,12}kicker|dachzeile|oberzeile|spitzmarke|overline|over-title|eyebrow|top-?line|roofline|super-?title|pre-?title|pre-?head(?:line)?|antetitulo|surtitre|occhiello|chapeau)(?:$|[\s_-])/i

/** On one line, with a space where only style separates two words, unless the page joins them elsewhere. */
function joinParts(parts: readonly Part[], stated: readonly string[]): string {
  let line = ''
  for (const { text } of parts) {
    const isGlued = JOINED_CHARS.test(line.slice(-1)) && BEGINS.test(text)
    line += isGlued && !isOneWord(line, text, stated) ? ` ${text}` : text
  }
  return trimSeparators(oneVisibleLine(line.slice(0, MAX_HEADING_LENGTH)))
}

const JOINED_CHARS = /[\p{Ll}\p{N}\p{Pe}\p{Pf}.!?:;]/u
const BEGINS = /^[\p{Lu}\p{N}\p{Ps}\p{Pi}„]/u

function isOneWord(line: string, text: string, stated: readonly string[]): boolean {
  const seam = (/\S+$/.exec(line)?.[0] ?? '') + (/^\S+/.exec(text)?.[0] ?? '')
  return stated.some((title) => title.includes(seam))
}
