/**
 * Removes boilerplate from displayed entries. Stored entries stay complete and nothing is learned here: it is applied on
 * each display, so text that turns out not to be boilerplate is shown again.
 *
 * In HTML whole lines are removed: what stands between two block tags. If boilerplate shares its line with other text it is
 * removed only if the line has no tags, because a broken link is worse than a newsletter call.
 */
import { plainText, textAsHtml } from '../../html/index.ts'
import type { PlainItem } from '../plain-item.ts'
import { type Boilerplate, boilerplateOfFeed, commonBoilerplate } from './feed-boilerplate.ts'

export interface ShownWithout {
  /** A headline without labels common to most of the feed's headlines. */
  title(title: string): string
  text(what: PlainItem): string
  /** The same for well-formed HTML. */
  html(what: { title: string; html: string }): string
}

/** Uses the memory of all feeds and of one feed. Memories are unpacked on first use, since lists show headlines only. */
export function shownWithout(ofAll: Uint8Array | undefined): (ofFeed: Uint8Array | undefined) => ShownWithout {
  let common: Boilerplate | undefined
  return (ofFeed) => {
    let own: Boilerplate | undefined
    return shownBy(
      () => (own ??= boilerplateOfFeed(ofFeed, [])),
      () => (common ??= commonBoilerplate(ofAll, [])),
    )
  }
}

function shownBy(feed: () => Boilerplate, all: () => Boilerplate): ShownWithout {
  function text(what: PlainItem): string {
    return all()
      .without({ title: what.title, text: feed().without(what).text })
      .text.trim()
  }

  function html({ title, html: whole }: { title: string; html: string }): string {
    const pieces = whole.split(LINE_TAGS)
    const own = pieces.map((piece, i) => (i % 2 === 0 ? ownLine(title, piece) : piece))
    if (own.every((piece, i) => piece === pieces[i])) return whole
    return withoutEmptyBlocks(own.join('')).trim()
  }

  function ownLine(title: string, line: string): string {
    const plain = plainText(line)
    if (plain === '') return line
    const own = text({ title, text: plain })
    if (own === plain.trim()) return line
    if (own === '') return isWhole(line) ? '' : line
    return line.includes('<') ? line : textAsHtml(own)
  }

  return { title: (title) => feed().without({ title, text: '' }).title.trim(), text, html }
}

const BLOCK =
  'p|div|li|ul|ol|dl|dt|dd|h[1-6]|blockquote|pre|table|tr|td|th|figure|figcaption|section|article|aside|header|footer'
const LINE_TAGS = new RegExp(`(</?(?:${BLOCK}|br|hr)\\b[^>]*>)`, 'i')
const EMPTY_BLOCK = /<(p|div|li|ul|ol|section|aside|footer)\b[^>]*>\s*<\/\1>\s*/gi

/** Removes lists whose last item was removed; does not look for deeper nesting. */
function withoutEmptyBlocks(html: string): string {
  return html.replace(EMPTY_BLOCK, '').replace(EMPTY_BLOCK, '')
}

/** It closes what it opens, and shows nothing but text. */
function isWhole(line: string): boolean {
  const [opened, closed] = [line.match(/<[a-z]/gi) ?? [], line.match(/<\//g) ?? []]
  return opened.length === closed.length && !/<(?:img|audio|video|iframe|svg)\b/i.test(line)
}
