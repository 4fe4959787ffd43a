/**
 * HTML -> the text a person would read: for search, for terminals, for titles, for comparing. Blocks become lines. It makes
 * no tree and judges nothing; its output is text, never to be used as HTML.
 */
import type { Element } from './elements.ts'
import { decodeEntities } from './entities.ts'
import { splitHtml } from './split-html.ts'

export function plainText(html: string): string {
  return withoutTags(html, singleSpaced)
}

/** For what may be HTML or mere text, in which "<T>" may well be meant: only likely tags are taken for such. */
export function looseText(text: string): string {
  return withoutTags(text, singleSpaced, isLikely)
}

/** The same where line breaks are lines as well. */
export function looseLines(text: string): string {
  return withoutTags(text, (piece) => piece, isLikely)
}

/** The same on one line. */
export function titleText(html: string): string {
  return html.includes('<') ? looseText(html).replaceAll('\n', ' ') : oneLine(decodeEntities(html))
}

/** Without line breaks, and with single spaces. */
export function oneLine(text: string): string {
  return singleSpaced(text).trim()
}

/** Text -> HTML that shows it. */
export function textAsHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function singleSpaced(text: string): string {
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text
}

function isLikely(element: Element | undefined): boolean {
  return element?.isLikely === true
}

function withoutTags(
  html: string,
  tidy: (piece: string) => string,
  isTag?: (element: Element | undefined) => boolean,
): string {
  if (!html.includes('<')) return tidy(decodeEntities(html)).trim()
  let out = ''
  let opening: Element | undefined
  /** The outermost element that is open and silent. */
  let silent: Element | undefined
  const say = (start: number, end: number) => {
    if (silent === undefined) out += tidy(decodeEntities(html.slice(start, end)))
  }
  splitHtml(html, {
    text: say,
    data: say,
    tag(_start, _end, element) {
      opening = element
    },
    attribute() {},
    opened() {
      if (opening?.endsLine === true) out += '\n'
      if (opening?.isSilent === true) silent ??= opening
    },
    closed(_start, _end, element) {
      if (element?.endsLine === true) out += '\n'
      if (element === silent) silent = undefined
    },
    isForeign: () => false,
    ...(isTag && { isTag }),
  })
  return out.replace(/\s{2,}/g, (gap) => (gap.includes('\n') ? '\n' : ' ')).trim()
}
