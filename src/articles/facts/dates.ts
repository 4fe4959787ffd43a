/**
 * When it was published and when it was changed. Each place that may say so has its trust: how often a date from there is
 * the right one. Places are asked in that order, and the first that has a date decides.
 */
import type { FactOrigin, FoundDate } from '../article.ts'
import { type DayOrder, dateIn } from '../dates/date-in.ts'
import type { Block } from '../main/blocks.ts'
import { type PagePiece, textInside } from '../page/piece.ts'
import type { PageEvidence } from './evidence.ts'
import { typeOf } from './json-ld.ts'

export interface Dates {
  published?: FoundDate
  modified?: FoundDate
}

/** `lines`: those round the title; `blocks`: all. */
export function datesOf(
  evidence: PageEvidence,
  lines: readonly Block[],
  blocks: readonly Block[],
  order: DayOrder,
): Dates {
  const published = firstDate(publications(evidence, lines), order)
  const modified = firstDate(changes(evidence, [...lines, ...blocks]), order)
  // Some pages only say when they were last touched, which is better than nothing.
  const guessed = published ?? (modified && { ...modified, trust: modified.trust * 0.5 })
  return { ...(guessed && { published: guessed }), ...(modified && { modified }) }
}

/** How 5/6/2024 is meant: only America puts the month first. */
export function dayOrderOf(language: string | undefined, address: URL | undefined): DayOrder {
  if (/^en-us$|^es-us$|^en-ph$/i.test(language ?? '')) return 'month-first'
  const isAmerican = /\.(?:com|org|net|gov|edu|us|io|dev|ai|co)$/.test(address?.hostname ?? '')
  return isAmerican && /^(?:en)?$/i.test(language ?? '') ? 'month-first' : 'day-first'
}

interface Statement {
  text: unknown
  from: FactOrigin
  trust: number
}

function firstDate(statements: Iterable<Statement>, order: DayOrder): FoundDate | undefined {
  let day: FoundDate | undefined
  for (const { text, from, trust } of statements) {
    const date = typeof text === 'string' ? dateIn(text, order) : undefined
    if (!date) continue
    // A mere day waits for another place that knows the time of that day, and believes the day more for it.
    if (!day && !date.dateOnly) return { ...date, from, trust }
    if (!day) day = { ...date, from, trust }
    else if (!date.dateOnly && date.iso.startsWith(day.iso)) return { ...date, from, trust: day.trust }
  }
  return day
}

function* publications(evidence: PageEvidence, lines: readonly Block[]): Generator<Statement> {
  const { linkedData, metas, microdata, page, address } = evidence
  const stated = linkedData.article?.datePublished
  if (isMadeForMachines(stated)) yield { text: stated, from: 'json-ld', trust: 0.95 }
  yield { text: metas.first('article:published_time')?.value, from: 'opengraph', trust: 0.95 }
  const marked = microdata.all('datepublished')
  if (marked.length === 1) yield { text: marked[0], from: 'microdata', trust: 0.9 }
  for (const { value, from } of metas.like(PUBLISHED)) yield { text: value, from, trust: 0.85 }
  for (const { value, from } of metas.like(DATED)) yield { text: value, from, trust: 0.8 }
  for (const node of linkedData.nodes) {
    if (isMadeForMachines(node.datePublished) && PAGES.test(typeOf(node))) {
      yield { text: node.datePublished, from: 'json-ld', trust: 0.8 }
    }
  }
  const created = linkedData.article?.dateCreated
  if (isMadeForMachines(created)) yield { text: created, from: 'json-ld', trust: 0.8 }
  yield* timesIn(page.pieces, lines, 0.8)
  yield { text: dayInAddress(address), from: 'address', trust: 0.8 }
  for (const { text } of lines) if (isDateLine(text)) yield { text, from: 'text', trust: 0.7 }
  for (const text of [...marked, ...microdata.all('datecreated')]) yield { text, from: 'microdata', trust: 0.6 }
  yield { text: stated, from: 'json-ld', trust: 0.6 }
  for (const { datePublished, uploadDate } of linkedData.nodes) {
    yield { text: datePublished ?? uploadDate, from: 'json-ld', trust: 0.6 }
  }
  yield* namedForDates(page.pieces)
}

function* changes({ linkedData, metas, microdata }: PageEvidence, lines: readonly Block[]): Generator<Statement> {
  yield { text: linkedData.article?.dateModified, from: 'json-ld', trust: 0.9 }
  yield { text: metas.first('article:modified_time', 'og:updated_time')?.value, from: 'opengraph', trust: 0.9 }
  for (const text of microdata.all('datemodified')) yield { text, from: 'microdata', trust: 0.8 }
  for (const { value, from } of metas.like(MODIFIED)) yield { text: value, from, trust: 0.7 }
  for (const node of linkedData.nodes) yield { text: node.dateModified, from: 'json-ld', trust: 0.7 }
  for (const { text } of lines) if (isChangeLine(text)) yield { text, from: 'text', trust: 0.7 }
}

const PAGES = /Page|Article|Posting/

/** schema.org wants ISO 8601; "Jun 12, 2025" was put there by a template, which knows when it was filled in at best. */
function isMadeForMachines(text: unknown): text is string {
  return typeof text === 'string' && /^\s*\d{4}-?\d/.test(text)
}

/** A line that is there for its date, and no sentence that mentions one. */
function isDateLine(text: string): boolean {
  return text.length <= 120 && !CHANGED_LINE.test(text) && !(text.length > 50 && /[.!?]$/.test(text))
}

function isChangeLine(text: string): boolean {
  return text.length <= 120 && /\p{Nd}/u.test(text) && CHANGED_LINE.test(text)
}

function dayInAddress(address: URL | undefined): string | undefined {
  const path = address?.pathname ?? ''
  const match = IN_ADDRESS.exec(path)
  if (match) return `${match[1]}-${match[2]}-${match[3]}`
  const named = NAMED_IN_ADDRESS.exec(path)
  return named ? `${named[3]} ${named[2]} ${named[1]}` : undefined
}

/** What the names of such <meta> have in common, in lower case: "parsely-pub-date", "dc.date.issued", "publish_date". */
const PUBLISHED =
  /publi(?:sh|c)\w*[-_.: ]?(?:date|time|on)|pub[-_.]?(?:date|time)|date[-_.]?(?:publi|issued|created|posted)|dcterms\.(?:issued|created)|^(?:issued|posted|ptime)$/
const MODIFIED = /modif|updat|revis/
const DATED = /^(?:date|(?:dc|dcterms|sailthru|parsely|citation)[._:]\w{0,12}date|article[._]date\w*|created)$/

const IN_ADDRESS = /[/_-]((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?:[/_.-]|$)/

const NAMED_IN_ADDRESS = /\/((?:19|20)\d\d)\/([a-z]{3,9})\/(\d{1,2})(?:\/|$)/i

/** "Updated" in the languages that say it on most pages. */
const CHANGED_LINE =
  /updat|modif|edited|reviewed|aktuali|geändert|mis à jour|actuali[sz]|atualiz|aggiorna|bijgewerkt|uppdater|opdater|oppdater|обновлен|更新|수정/i

/** <time> in the lines round the title. */
function* timesIn(pieces: readonly PagePiece[], lines: readonly Block[], trust: number): Generator<Statement> {
  for (const line of lines) {
    if (CHANGED_LINE.test(line.text)) continue
    // The <time> that a line stands in begins before its text.
    for (let i = Math.max(1, line.from - 3); i < line.to; i++) {
      const { name, attributes } = pieces[i]!
      if (name === 'time') yield { text: attributes.datetime, from: 'markup', trust }
    }
  }
}

/** Anywhere: <time>, and short elements with "date" or the like in their names. */
function* namedForDates(pieces: readonly PagePiece[]): Generator<Statement> {
  let looked = 0
  for (let i = 1; i < pieces.length && looked < 40; i++) {
    const { name, attributes, end } = pieces[i]!
    if (name === 'time') {
      looked++
      yield { text: attributes.datetime || textInside(pieces, i, 100), from: 'markup', trust: 0.5 }
    } else if (name !== '' && end - i < 30 && DATE_NAME.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`)) {
      looked++
      const text = textInside(pieces, i, 250)
      if (!CHANGED_LINE.test(text)) yield { text, from: 'markup', trust: 0.5 }
    }
  }
}

const DATE_NAME =
  /(?:^|[-_ ])(?:\w{0,8}date|datum|fecha|posted|publish\w{0,4}|published|timestamp|dateline)(?:$|[-_ ])/i
