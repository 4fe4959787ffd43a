/** Bylines: the line near the title that says who wrote the article. */
import type { FoundFact } from '../article.ts'
import type { Block } from '../main/blocks.ts'
import { NO_ATTRIBUTES } from '../page/attributes.ts'
import { type PageNode, textInside } from '../page/page-node.ts'
import { isJobTitle } from './non-names.ts'
import { parseNames } from './person-name.ts'
import { isUnrelated } from './unrelated-parts.ts'

/** Likeliest first; `titleNode` is the index of the title. */
export function* bylines(
  nodes: readonly PageNode[],
  lines: readonly Block[],
  blocks: readonly Block[],
  titleNode: number,
): Generator<FoundFact<string[]>> {
  for (const line of lines) {
    for (const text of namedTexts(nodes, line)) yield { value: parseNames(text, 'line'), from: 'markup' }
  }
  yield* unsigned(lines, titleNode)
  yield* inFooters(blocks, titleNode)
  yield* authorsElsewhere(nodes, titleNode)
}

/** Lines that name an author by a phrase or a link: trusted even against the name of an organization. */
export function* signatures(nodes: readonly PageNode[], lines: readonly Block[]): Generator<FoundFact<string[]>> {
  for (const line of lines) {
    const linked = isSentence(line) ? [] : linkedNames(nodes, line)
    if (linked.length > 0) yield { value: linked, from: 'markup' }
  }
  for (const [i, line] of lines.entries()) {
    const { text, from } = line
    if (isSentence(line)) continue
    const name = BY.test(text) ? text : AFTER_LABEL.exec(text)?.[1]
    if (name !== undefined) yield { value: parseNames(name, 'line'), from: 'text' }
    const next = lines[i + 1]
    if (next && next.from > from && LABEL.test(text)) yield { value: parseNames(next.text, 'line'), from: 'text' }
  }
}

/** All names in a line that contains nothing else: "By Ada Byron, Jo Lund and Kit Marsh". */
export function* wholeBylines(lines: readonly Block[]): Generator<FoundFact<string[]>> {
  for (const { text } of lines) {
    const names = BY.test(text) ? parseNames(text, 'line') : []
    const isList = names.length > 1 && text.endsWith(names.at(-1)!) && names.every(isWholeName)
    if (isList && !names.some(isJobTitle)) yield { value: names, from: 'text' }
  }
}

/** Sentences link to the people they mention. */
function isSentence({ kind, text, linkShare }: Block): boolean {
  return kind === 'paragraph' && text.length > 40 && linkShare < 0.4 && /[.!?…:"”]$/.test(text) && !/\d{4}/.test(text)
}

/** A name right below the title, and a job title below it. */
function* unsigned([first, second]: readonly Block[], titleNode: number): Generator<FoundFact<string[]>> {
  if (!first || !second || titleNode < 0 || first.from < titleNode || second.from < first.from) return
  if (first.linkShare > 0.5 || first.kind === 'heading' || !isWholeName(first.text)) return
  if (second.text.length <= 60 && isJobTitle(second.text)) yield { value: parseNames(first.text, 'line'), from: 'text' }
}

/** "This post was written by Ada Byron", "Dieser Beitrag wurde am 3. März 2026 von Ada Byron veröffentlicht". */
function* inFooters(blocks: readonly Block[], titleNode: number): Generator<FoundFact<string[]>> {
  for (const { kind, text, from } of blocks) {
    if (from < titleNode || kind === 'heading' || text.length > MAX_FOOTER_LENGTH || text.length < MIN_FOOTER_LENGTH)
      continue
    const name = FOOTER_BEGINS.test(text) ? IN_FOOTER.exec(text)?.[1] : undefined
    if (name !== undefined) yield { value: parseNames(name, 'line'), from: 'text' }
  }
}

/** A name of at least two words, tested word by word: as one pattern it takes milliseconds to compile. */
export function isWholeName(text: string): boolean {
  const [first, ...otherWords] = text.split(/\s/)
  if (otherWords.length === 0 || !FIRST_OF_NAME.test(first!)) return false
  let names = 0
  let particles = 0
  for (const word of otherWords) {
    if (PARTICLE.test(word)) particles++
    else if (REST_OF_NAME.test(word)) {
      names++
      particles = 0
    } else return false
    if (particles > 2) return false
  }
  return particles === 0 && names <= 3
}

const MIN_FOOTER_LENGTH = 25
const MAX_FOOTER_LENGTH = 300
const NAME = String.raw`\p{Lu}[\p{L}\p{M}'’.-]*(?:\s(?:(?:van|von|de|der|den|da|di|la|le|el|al|bin)\s){0,2}\p{Lu}[\p{L}\p{M}'’-]+){0,3}`
const FIRST_OF_NAME = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u
const REST_OF_NAME = /^\p{Lu}[\p{L}\p{M}'’-]+$/u
const PARTICLE = /^(?:van|von|de|der|den|da|di|la|le|el|al|bin)$/
/** The beginning of such a sentence: few lines match, and the full pattern takes milliseconds to compile. */
const FOOTER_BEGINS = /^(?:[Tt]his |Dieser |Cet|Ce billet|Est[ae] |Quest[oa] |Dit |Ten wpis|Запись)/
const IN_FOOTER = new RegExp(
  String.raw`^(?:[Tt]his (?:entry|post|article|story|piece|guest post)|Dieser (?:Eintrag|Beitrag|Artikel|Text)|Cet(?:te)? (?:article|entrée)|Ce billet|Est[ae] (?:entrada|artículo|post|artigo)|Quest[oa] (?:articolo|post)|Dit (?:bericht|artikel)|Ten wpis|Запись)\s(?:(?:was|is) (?:originally |first )?(?:written|posted|published|contributed|authored)|wurde|a été|fue|foi|è stat[oa]|werd|został|опубликована)\s.{0,110}?(?:by|von|par|por|da|door|przez|автором)\s(${NAME})`,
  'u',
)

/** Only the label before a name. */
const LABEL =
  /^(?:(?:written|posted|published|words|story|article|text)\s+)?by:?$|^(?:authors?|autor(?:in|a|e|es)?|auteure?|verfasser(?:in)?|(?:geschrieben |verfasst |veröffentlicht |text )?von|(?:écrit |publié |rédigé )?par|(?:escrito |publicado )?por|(?:scritto |pubblicato )?da|(?:geschreven )?door|автор|作者|記者|记者|글)\s?[:：]?$/iu

/** Links in a line that lead to an author: rel="author", /author/ada-byron. */
function linkedNames(nodes: readonly PageNode[], { from, to }: Block): string[] {
  const names: string[] = []
  let last = 0
  for (let i = from; i < to; i++) {
    const { link } = nodes[i]!
    if (link === last || link === 0) continue
    last = link
    if (isAuthorLink(nodes[link]!)) names.push(...parseNames(textInside(nodes, link, 100), 'line'))
  }
  return names
}

function isAuthorLink({ attributes }: PageNode): boolean {
  const { rel = '', href = '' } = attributes
  return /\bauthor\b/.test(rel) || (AUTHOR_PAGE.test(href) && !/\blicense\b/.test(rel) && !LICENCE.test(href))
}

/** "/licenses/by/4.0" is not an author. */
const LICENCE = /creativecommons|\/licen[cs]es?\//i

const AUTHOR_PAGE =
  /\/(?:authors?|autor(?:es|e)?|auteurs?|contributors?|writers?|profiles?|people|staff|by|team|experts?|columnists?|journalists?|reporters?)\/[^/?#]/i

/** "By" as the first word of a line. */
const BY =
  /^(?:(?:(?:an?|guest|opinion|analysis|review|written|posted|published|words|story|post|article|text)\s+){0,3}by[\s:]|(?:(?:geschrieben|verfasst|veröffentlicht|gepostet|ein (?:gast)?beitrag|text) von|von|(?:écrit|publié|rédigé) par|par|(?:escrito|publicado) por|por|(?:scritto|pubblicato) da|di|(?:geschreven|geplaatst) door|door|av|af|автор|текст|作者|文[／/])[\s:：])/iu

/** "Author:" in the middle of a line, and the text after it. */
const AFTER_LABEL =
  /(?:^(?:posted|published|written|filed)\b.{0,40}\bby\s|(?:author|autor|autora|auteur|автор|作者|记者|記者|撰文|文|글)\s?[:：])\s?([^:：|•]{2,60})$/iu

const AUTHOR_WORD = /by-?line|author|autor|auteur|writer|contributor|reporter|journalist/i

const AUTHOR_NAME =
  /(?:^|[-_ ])(?:by-?line|author|autor|auteur|writer|contributor|reporter|journalist)s?(?:[-_]{1,2}(?:name|link|text|info|title))?(?:$|[-_ ])/i

/** Text in a part of the line with an author class; the whole line, if an element around it has one. */
function* namedTexts(nodes: readonly PageNode[], line: Block): Generator<string> {
  if (line.linkShare > 0.9 && TOPIC_PAGE.test(nodes[nodes[line.from]!.link]!.attributes.href ?? '')) return
  let at = nodes[line.from]!.parent
  for (let i = 0; i < 3 && at > 0; i++) {
    const { isBlock, parent } = nodes[at]!
    if (isNamed(nodes[at]!)) yield isBlock ? line.text : textInside(nodes, at, 200)
    at = parent
  }
  for (let i = line.from; i < line.to; i++) if (isNamed(nodes[i]!)) yield textInside(nodes, i, 200)
}

function isNamed({ attributes }: PageNode): boolean {
  const { class: classes, id } = attributes
  return (classes !== undefined && namesAuthor(classes)) || (id !== undefined && AUTHOR_NAME.test(id))
}

function namesAuthor(classes: string): boolean {
  return AUTHOR_WORD.test(classes) && AUTHOR_NAME.test(classes.replace(/([a-z])([A-Z])/g, '$1-$2'))
}

/** Anywhere on the page: an author's box below the text. */
function* authorsElsewhere(nodes: readonly PageNode[], titleNode: number): Generator<FoundFact<string[]>> {
  let checked = 0
  for (let i = nextAuthorElement(nodes, 1); i < nodes.length && checked < 30; i = nextAuthorElement(nodes, i + 1)) {
    checked++
    if (isUnrelated(nodes, i, titleNode) || leadsToTopic(nodes, i)) continue
    const text = textInside(nodes, i, 200)
    if (text.length < 80) yield { value: parseNames(text, 'line'), from: 'markup' }
  }
}

/** Index of the next small element with an author class, or link to an author. */
function nextAuthorElement(nodes: readonly PageNode[], from: number): number {
  for (let i = from; i < nodes.length; i++) {
    const { name, attributes, end } = nodes[i]!
    if (attributes === NO_ATTRIBUTES || name === 'label' || end - i > 40) continue
    if (isNamed(nodes[i]!) || (name === 'a' && /\bauthor\b/.test(attributes.rel ?? ''))) return i
  }
  return nodes.length
}

function leadsToTopic(nodes: readonly PageNode[], index: number): boolean {
  for (let i = index; i < nodes[index]!.end; i++) if (TOPIC_PAGE.test(nodes[i]!.attributes.href ?? '')) return true
  return false
}

const TOPIC_PAGE = /\/(?:tags?|categor(?:y|ies|ia|ie)|kategorie|topics?|thema|themen|schlagwort|etiqueta|sections?)\//i
