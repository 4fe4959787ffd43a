/**
 * HTML -> plain text: for search, terminals, titles and comparisons. Blocks become lines. Builds no tree; the output must never be
 * used as HTML.
 */
import type { Element } from './elements.ts'
import { decodeEntities } from './entities.ts'
import { htmlParts, nextPart } from './html-tokenizer.ts'

export function plainText(html: string): string {
  return withoutTags(html, singleSpaced, false)
}

/** For text that may or may not be HTML, so "<T>" may be meant literally: only likely tags are removed. */
export function looseText(text: string): string {
  return withoutTags(text, singleSpaced, true)
}

/** Keeps line breaks. */
export function looseLines(text: string): string {
  return withoutTags(text, (fragment) => fragment, true)
}

/** On one line. */
export function titleText(html: string): string {
  return html.includes('<') ? looseText(html).replaceAll('\n', ' ') : collapseWhitespace(decodeEntities(html))
}

/** Collapses whitespace. */
export function collapseWhitespace(text: string): string {
  return singleSpaced(text).trim()
}

/** Escapes text for HTML. */
export function textAsHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function singleSpaced(text: string): string {
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text
}

function withoutTags(html: string, tidy: (fragment: string) => string, isLoose: boolean): string {
  if (!html.includes('<')) return tidy(decodeEntities(html)).trim()
  const parts = htmlParts(html, isLoose)
  let out = ''
  /** The outermost open element whose content is not shown. */
  let silent: Element | undefined
  for (let part = nextPart(parts); part !== 'end'; part = nextPart(parts)) {
    const { element } = parts
    if (part === 'text' || part === 'data') {
      if (silent === undefined) out += tidy(decodeEntities(html.slice(parts.start, parts.end)))
    } else if (part === 'opened') {
      if (element?.endsLine === true) out += '\n'
      if (element?.isHidden === true) silent ??= element
    } else if (part === 'closed') {
      if (element?.endsLine === true) out += '\n'
      if (element === silent) silent = undefined
    }
  }
  return out.replace(/\s{2,}/g, (gap) => (gap.includes('\n') ? '\n' : ' ')).trim()
}
