/** The line by the title that says who wrote it. */
import type { FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { type PagePiece, textInside } from '../page/piece.ts'
import { namesIn } from './person-name.ts'

/** Likeliest first. */
export function* bylines(pieces: readonly PagePiece[], lines: readonly Block[]): Generator<FoundFact<string[]>> {
  for (const line of lines) {
    const linked = namesLinked(pieces, line)
    if (linked.length > 0) yield { value: linked, from: 'markup' }
  }
  for (const { text } of lines) {
    const name = BY.test(text) ? text : AFTER_LABEL.exec(text)?.[1]
    if (name !== undefined) yield { value: namesIn(name, 'line'), from: 'text' }
  }
  for (const line of lines) if (isNamed(pieces, line)) yield { value: namesIn(line.text, 'line'), from: 'markup' }
  yield* namedElsewhere(pieces)
}

/** Links of a line that lead to an author: rel="author", /author/ada-byron. */
function namesLinked(pieces: readonly PagePiece[], { from, to }: Block): string[] {
  const names: string[] = []
  let last = 0
  for (let i = from; i < to; i++) {
    const { link } = pieces[i]!
    if (link === last || link === 0) continue
    last = link
    if (isAuthorLink(pieces[link]!)) names.push(...namesIn(textInside(pieces, link, 100), 'field'))
  }
  return names
}

function isAuthorLink({ attributes }: PagePiece): boolean {
  return /\bauthor\b/.test(attributes.rel ?? '') || AUTHOR_PAGE.test(attributes.href ?? '')
}

const AUTHOR_PAGE =
  /\/(?:authors?|autor(?:es|e)?|auteurs?|contributors?|writers?|profiles?|people|staff|by|team|experts?|columnists?|journalists?|reporters?)\/[^/?#]/i

/** "By" as the first word of a line. */
const BY = /^(?:(?:written|posted|words|story|text)\s+)?by[\s:]|^(?:von|par|por|door|автор|作者|文[／/])[\s:：]/i

/** "Author:" in the middle of a line, and what stands behind it. */
const AFTER_LABEL =
  /(?:^(?:posted|published|written|filed)\b.{0,40}\bby\s|(?:author|autor|autora|auteur|автор|作者|记者|記者|撰文|文|글)\s?[:：])\s?([^:：|•]{2,60})$/iu

const AUTHOR_NAME =
  /(?:^|[-_ ])(?:by-?line|author|autor|auteur|writer|contributor|reporter|journalist)s?(?:[-_]{1,2}(?:name|link|text|info|title))?(?:$|[-_ ])/i

/** The line's element, or one of the two round it, is named for it. */
function isNamed(pieces: readonly PagePiece[], line: Block): boolean {
  let at = pieces[line.from]!.parent
  for (let i = 0; i < 3 && at > 0; i++) {
    const { attributes, parent } = pieces[at]!
    if (AUTHOR_NAME.test(wordsOf(attributes.class)) || AUTHOR_NAME.test(attributes.id ?? '')) return true
    at = parent
  }
  return false
}

function wordsOf(names: string | undefined): string {
  return names === undefined ? '' : names.replace(/([a-z])([A-Z])/g, '$1-$2')
}

/** Anywhere on the page: an author's box below the text. */
function* namedElsewhere(pieces: readonly PagePiece[]): Generator<FoundFact<string[]>> {
  let looked = 0
  for (let i = 1; i < pieces.length && looked < 30; i++) {
    const { name, attributes, end } = pieces[i]!
    if (name === '' || end - i > 40) continue
    const isLink = name === 'a' && /\bauthor\b/.test(attributes.rel ?? '')
    if (!isLink && !AUTHOR_NAME.test(wordsOf(attributes.class)) && !AUTHOR_NAME.test(attributes.id ?? '')) continue
    looked++
    const text = textInside(pieces, i, 200)
    if (text.length < 80) yield { value: namesIn(text, 'line'), from: 'markup' }
  }
}
