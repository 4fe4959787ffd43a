/**
 * What is shown of an entry, without what its feed always says. Nothing is learnt here, and what is kept stays whole: who shows
 * an entry asks anew each time, so a habit that turns out to be none is shown again.
 *
 * Of HTML, whole lines go: what stands between two tags that begin a line. Where a habit shares its line with the entry's own
 * words it goes only if the line has no tags, for a link that is cut in two is worse than a newsletter's call.
 */
import { plainText, textAsHtml } from '../../markup/index.ts'
import type { PlainItem } from '../said.ts'
import { commonHabits, type Habits, habitsOf } from './habits.ts'

export interface ShownWithout {
  /** A headline without the label that its feed gives to most of them. */
  title(title: string): string
  text(what: PlainItem): string
  /** The same for HTML that is well-formed. */
  html(what: { title: string; html: string }): string
}

/** By what is remembered of all feeds together, and then of one. What is remembered is unpacked when first it is needed: lists show headlines only. */
export function shownWithout(ofAll: Uint8Array | undefined): (ofFeed: Uint8Array | undefined) => ShownWithout {
  let common: Habits | undefined
  return (ofFeed) => {
    let own: Habits | undefined
    return shownBy(
      () => (own ??= habitsOf(ofFeed, [])),
      () => (common ??= commonHabits(ofAll, [])),
    )
  }
}

function shownBy(feed: () => Habits, all: () => Habits): ShownWithout {
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
    const said = plainText(line)
    if (said === '') return line
    const own = text({ title, text: said })
    if (own === said.trim()) return line
    if (own === '') return isWhole(line) ? '' : line
    return line.includes('<') ? line : textAsHtml(own)
  }

  return { title: (title) => feed().without({ title, text: '' }).title.trim(), text, html }
}

const BLOCK =
  'p|div|li|ul|ol|dl|dt|dd|h[1-6]|blockquote|pre|table|tr|td|th|figure|figcaption|section|article|aside|header|footer'
const LINE_TAGS = new RegExp(`(</?(?:${BLOCK}|br|hr)\\b[^>]*>)`, 'i')
const EMPTY_BLOCK = /<(p|div|li|ul|ol|section|aside|footer)\b[^>]*>\s*<\/\1>\s*/gi

/** A list whose last item went is empty itself; deeper nests are not looked for. */
function withoutEmptyBlocks(html: string): string {
  return html.replace(EMPTY_BLOCK, '').replace(EMPTY_BLOCK, '')
}

/** It opens what it closes, and shows nothing but text. */
function isWhole(line: string): boolean {
  const [opened, closed] = [line.match(/<[a-z]/gi) ?? [], line.match(/<\//g) ?? []]
  return opened.length === closed.length && !/<(?:img|audio|video|iframe|svg)\b/i.test(line)
}
