/**
 * HTML -> the text a person would read: for search, for terminals, for titles. Blocks become lines. It makes no tree and
 * judges nothing; its output is text, never to be used as HTML.
 */
import { decodeEntities } from '../xml/entities.ts'
import { readTag } from '../xml/tag.ts'

export function plainText(html: string): string {
  return strip(html, () => true)
}

/** One line. In a title "<T>" may well be meant: only what HTML knows as a tag is taken for one. */
export function titleText(html: string): string {
  if (!html.includes('<')) return oneLine(decodeEntities(html))
  return strip(html, (name) => TAGS.has(name)).replaceAll('\n', ' ')
}

/** Without line breaks, and with single spaces. */
export function oneLine(text: string): string {
  return singleSpaced(text).trim()
}

function singleSpaced(text: string): string {
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** Text -> HTML that shows it. */
export function textAsHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function strip(html: string, isTag: (name: string) => boolean): string {
  let out = ''
  let at = 0
  let from = 0
  let commentsEnd = true
  const copyTo = (to: number) => {
    if (to > from) out += singleSpaced(decodeEntities(html.slice(from, to)))
  }
  for (let less = html.indexOf('<'); less >= 0; less = html.indexOf('<', at)) {
    at = less + 1
    if (commentsEnd && html.startsWith('<!--', less)) {
      const close = html.indexOf('-->', less + 4)
      commentsEnd = close >= 0
      if (close < 0) continue
      copyTo(less)
      from = at = close + 3
      continue
    }
    if (!/[a-z/!?]/i.test(html.charAt(at))) continue
    const tag = readTag(html, html.charCodeAt(at) === 47 ? at : less, html.length, true)
    const name = tag.name.toLowerCase()
    if (!isTag(name)) continue
    copyTo(less)
    if (BLOCKS.has(name)) out += '\n'
    from = at = Math.max(tag.end, at)
    if (UNREAD.has(name) && html.charCodeAt(less + 1) !== 47) from = at = endOfUnread(html, name, at)
  }
  copyTo(html.length)
  return out.replace(/\s{2,}/g, (gap) => (gap.includes('\n') ? '\n' : ' ')).trim()
}

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object'])

/** Past the end tag, or the end of the text. */
function endOfUnread(html: string, name: string, from: number): number {
  for (let close = html.indexOf('</', from); close >= 0; close = html.indexOf('</', close + 2)) {
    if (html.slice(close + 2, close + 2 + name.length).toLowerCase() === name) {
      return readTag(html, close + 1, html.length, true).end
    }
  }
  return html.length
}

const words = (list: string) => new Set(list.split(' '))

const BLOCKS = words(
  'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead ' +
    'title tr ul',
)
const TAGS = new Set([
  ...BLOCKS,
  ...UNREAD,
  ...words(
    'a abbr acronym audio b bdi bdo big button cite code data del dfn em embed font i img input ins kbd label link mark ' +
      'meta nobr picture q rp rt ruby s samp small source span strike strong sub sup svg time tt u var video wbr',
  ),
])
