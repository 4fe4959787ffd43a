/**
 * Finds the dates of publication and of the last change. Every place has a trust: how often its date is right. Places are
 * tried in that order, and the first with a date decides.
 */

import { DAY, type Instant } from '../../model/index.ts'
import type { FactOrigin, FoundDate } from '../article.ts'
import { parseMonth } from '../dates/parse-month.ts'
import { type DateFound, type DayOrder, parsePageDate } from '../dates/parse-page-date.ts'
import { dayInPath, digitsInPath } from '../dates/url-date.ts'
import type { Block } from '../main/blocks.ts'
import { NO_ATTRIBUTES } from '../page/attributes.ts'
import { type PageNode, textInside } from '../page/page-node.ts'
import { inPublisherZone, preferShownDay, resolveDayOrder, swapDayAndMonth } from './correct-published-date.ts'
import { classifyDateLines, type DateLine } from './date-lines.ts'
import { datesInScripts } from './date-scripts.ts'
import { mentionsChanged } from './date-words.ts'
import { detectDayOrder } from './day-order.ts'
import type { PageMetadata } from './evidence.ts'
import { typeOf } from './json-ld.ts'
import { isUnrelated } from './unrelated-parts.ts'
import { findCanonicalUrl } from './urls.ts'

export interface Dates {
  published?: FoundDate
  modified?: FoundDate
}

/** `lines`: those near the title; `blocks`: all; `titleNode`: the index of the title; `now`: later dates are rejected. */
export function findDates(
  evidence: PageMetadata,
  lines: readonly Block[],
  blocks: readonly Block[],
  titleNode: number,
  now: Instant = Number.POSITIVE_INFINITY,
): Dates {
  let order: DayOrder | undefined
  const read: Reader = (text) => {
    const date = parsePageDate(text)
    if (!date?.swapped) return date && rejectFuture(date, now)
    order ??= detectDayOrder(evidence, blocks)
    return rejectFuture(order === 'day-first' ? date : swapDayAndMonth(date, date.swapped), now)
  }
  let nearLines: DateLine[] | undefined
  const linesNear = () => (nearLines ??= dateLines(lines, blocks))
  const page: DateContext = { lines, linesNear, blocks, titleNode }
  const modified = firstDate(() => changes(evidence, page), read)
  const found = firstDate((isDayKnown) => publications(evidence, page, read, isDayKnown), read)
  const published = found
    ? inPublisherZone(preferShownDay(resolveDayOrder(found, modified), evidence, linesNear, read), evidence)
    : // some pages only give a month, or the date of the last change, which is better than nothing
      (monthOf(linesNear(), now) ??
      (modified && { ...modified, trust: modified.trust * 0.5 }) ??
      firstDate(() => lastResorts(evidence, page), read))
  return { ...(published && { published }), ...(modified && { modified }) }
}

/** Or the date with day and month swapped. A day may have begun in another time zone, and servers use wrong ones. */
function rejectFuture({ swapped, ...date }: DateFound, now: Instant): DateFound | undefined {
  if (date.at <= now + DAY) return { ...date, ...(swapped && swapped.at <= now + DAY && { swapped }) }
  return swapped && swapped.at <= now + DAY ? { ...date, ...swapped } : undefined
}

type Reader = (text: string) => DateFound | undefined

interface DateContext {
  /** Near the title, with their dates. */
  lines: readonly Block[]
  linesNear(): DateLine[]
  blocks: readonly Block[]
  titleNode: number
}

function dateLines(lines: readonly Block[], blocks: readonly Block[]): DateLine[] {
  return lines.flatMap((line) => classifyDateLines(line, blocks[blocks.indexOf(line) - 1]))
}

function monthOf(lines: readonly DateLine[], now: Instant): FoundDate | undefined {
  for (const { kind, text } of lines) {
    const month = kind === 'changed' ? undefined : parseMonth(text)
    if (month && month.at <= now) return { ...month, from: 'text', trust: 0.4 }
  }
  return undefined
}

interface DateStatement {
  text: unknown
  from: FactOrigin
  trust: number
}

/** `statements` gets whether a day is already known, because some places are not worth searching for its time. */
function firstDate(
  statements: (isDayKnown: () => boolean) => Iterable<DateStatement>,
  read: Reader,
): FoundDate | undefined {
  let day: FoundDate | undefined
  for (const { text, from, trust } of statements(() => day !== undefined)) {
    const date = typeof text === 'string' ? read(text) : undefined
    if (!date) continue
    // a day without a time waits for another place with a time on that day, and then counts as confirmed
    if (!day && !date.dateOnly) return { ...date, from, trust }
    if (!day) day = { ...date, from, trust }
    else if (!date.dateOnly && date.iso.startsWith(day.iso)) return { ...date, from, trust: day.trust }
  }
  return day
}

function* publications(
  evidence: PageMetadata,
  lines: DateContext,
  read: Reader,
  isDayKnown: () => boolean,
): Generator<DateStatement> {
  const { html, linkedData, metas, microdata, page, address } = evidence
  const stated = linkedData.article?.datePublished
  if (isMadeForMachines(stated)) yield { text: stated, from: 'json-ld', trust: 0.95 }
  yield { text: metas.first('article:published_time')?.value, from: 'opengraph', trust: 0.95 }
  const microdataDates = microdata.all('datepublished')
  if (microdataDates.length === 1) yield { text: microdataDates[0], from: 'microdata', trust: 0.9 }
  for (const { value, from } of metas.like(PUBLISHED)) yield { text: value, from, trust: 0.85 }
  for (const names of [DATED, ALSO_PUBLISHED])
    for (const { value, from } of metas.like(names)) yield { text: value, from, trust: 0.8 }
  for (const node of linkedData.nodes) {
    if (isMadeForMachines(node.datePublished) && PAGES.test(typeOf(node))) {
      yield { text: node.datePublished, from: 'json-ld', trust: 0.8 }
    }
  }
  const created = linkedData.article?.dateCreated
  if (isMadeForMachines(created)) yield { text: created, from: 'json-ld', trust: 0.8 }
  yield* timesIn(page.nodes, lines, 0.8)
  const path = address?.pathname ?? ''
  const canonicalPath = URL.parse(findCanonicalUrl(evidence)?.value ?? '')?.pathname ?? ''
  yield { text: dayInPath(path), from: 'address', trust: 0.8 }
  yield { text: dayInPath(canonicalPath), from: 'link', trust: 0.8 }
  yield* linesOfKind(lines.linesNear(), 'published', 0.75)
  if (!isDayKnown()) {
    yield* farLines(page.nodes, lines, 'footer', 0.75, read)
    for (const text of datesInScripts(html, read)) yield { text, from: 'script', trust: 0.7 }
  }
  yield* linesOfKind(lines.linesNear(), 'bare', 0.7)
  yield { text: digitsInPath(path) ?? digitsInPath(canonicalPath), from: 'address', trust: 0.7 }
  yield* linesOfKind(lines.linesNear(), 'plain', 0.65)
  if (!isDayKnown()) {
    yield* farLines(page.nodes, lines, 'published', 0.6, read)
    for (const text of titlesOfDates(html)) yield { text, from: 'markup', trust: 0.6 }
  }
  for (const text of [...microdataDates, ...microdata.all('datecreated')]) yield { text, from: 'microdata', trust: 0.6 }
  yield { text: stated, from: 'json-ld', trust: 0.6 }
  for (const { datePublished, uploadDate } of linkedData.nodes) {
    yield { text: datePublished ?? uploadDate, from: 'json-ld', trust: 0.6 }
  }
  yield* elementsNamedForDates(page.nodes, lines.titleNode)
}

/** Last resorts: dates far from the title, unlabelled or with ambiguous labels. */
function* lastResorts({ page: { nodes } }: PageMetadata, { blocks, titleNode }: DateContext): Generator<DateStatement> {
  for (const kind of ['published', 'bare'] as const) {
    let checked = 0
    for (const [index, block] of blocks.entries()) {
      if (checked > MAX_LABELS) break
      if (block.text.length > MAX_DATE_LINE_LENGTH || !/\d\d/.test(block.text)) continue
      checked++
      if (isUnrelated(nodes, block.from, titleNode)) continue
      yield* linesOfKind(classifyDateLines(block, blocks[index - 1]), kind, kind === 'bare' ? 0.3 : 0.4)
    }
  }
}

const MAX_DATE_LINE_LENGTH = 80

/** Old microformats: <abbr class="published" title="2012-05-03T10:00:00Z">, if all give the same day. */
function titlesOfDates(html: string): string[] {
  const days = new Map<string, string>()
  for (const [tag] of html.matchAll(
    /<(?:abbr|span|a|div)\s[^<>]{0,300}?\b(?:published|dtstamp|timestamp)\b[^<>]{0,300}>/gi,
  )) {
    const title = /\stitle=["']([^"'<>]{8,40})["']/i.exec(tag)?.[1]
    const day = title === undefined ? undefined : parsePageDate(title)?.iso.slice(0, 10)
    if (day !== undefined) days.set(day, title!)
    if (days.size > 1) return []
  }
  return [...days.values()]
}

function* changes({ linkedData, metas, microdata }: PageMetadata, lines: DateContext): Generator<DateStatement> {
  yield { text: linkedData.article?.dateModified, from: 'json-ld', trust: 0.9 }
  yield { text: metas.first('article:modified_time', 'og:updated_time')?.value, from: 'opengraph', trust: 0.9 }
  for (const text of microdata.all('datemodified')) yield { text, from: 'microdata', trust: 0.8 }
  for (const { value, from } of metas.like(MODIFIED)) yield { text: value, from, trust: 0.7 }
  for (const node of linkedData.nodes) yield { text: node.dateModified, from: 'json-ld', trust: 0.7 }
  yield* linesOfKind(lines.linesNear(), 'changed', 0.7)
  for (const block of lines.blocks) {
    if (!isChangeLine(block.text)) continue
    yield* linesOfKind(classifyDateLines(block, undefined), 'changed', 0.7)
  }
}

function* linesOfKind(lines: readonly DateLine[], kind: DateLine['kind'], trust: number): Generator<DateStatement> {
  for (const line of lines) if (line.kind === kind) yield { text: line.text, from: 'text', trust }
}

/** Labelled lines anywhere after the title, if all give the same day: otherwise they belong to other articles. */
function* farLines(
  nodes: readonly PageNode[],
  { blocks, titleNode }: DateContext,
  kind: 'footer' | 'published',
  trust: number,
  read: Reader,
): Generator<DateStatement> {
  const found = new Map<string, string>()
  let checked = 0
  for (const [index, block] of blocks.entries()) {
    if (checked > MAX_LABELS) break
    if (block.from < titleNode || !/\d{4}/.test(block.text)) continue
    for (const line of classifyDateLines(block, blocks[index - 1])) {
      if (line.kind !== kind) continue
      checked++
      const date = read(line.text)
      if (date && !isUnrelated(nodes, block.from, titleNode)) found.set(date.iso.slice(0, 10), line.text)
    }
    if (found.size > 1) return
  }
  for (const text of found.values()) yield { text, from: 'text', trust }
}

const MAX_LABELS = 100

const PAGES = /Page|Article|Posting/

/** schema.org requires ISO 8601; "Jun 12, 2025" comes from a template and may be the date of rendering. */
function isMadeForMachines(text: unknown): text is string {
  return typeof text === 'string' && /^\s*\d{4}-?\d/.test(text)
}

function isChangeLine(text: string): boolean {
  return text.length <= 120 && /\p{Nd}{4}|\d\.\d\d/u.test(text) && mentionsChanged(text)
}

/** The common part of such <meta> names, in lower case: "parsely-pub-date", "dc.date.issued", "publish_date". */
const PUBLISHED =
  /publi(?:sh|c)\w*[-_.: ]?(?:date|time|on)|pub[-_.]?(?:date|time)|date[-_.]?(?:publi|issued|created|posted)|dcterms\.(?:issued|created)|^(?:issued|posted|ptime)$/
const ALSO_PUBLISHED =
  /(?:post(?:ed|ing)?|creat(?:e|ed|ion)|release|display|original|first|initial|news|doc|story)[-_.]?date|first[-_.]?publi|^pdate$/
const MODIFIED = /modif|updat|revis/
const DATED = /^(?:date|(?:dc|dcterms|sailthru|parsely|citation)[._:]\w{0,12}date|article[._]date\w*|created)$/

/** <time> in the lines near the title. */
function* timesIn(
  nodes: readonly PageNode[],
  { lines, linesNear }: DateContext,
  trust: number,
): Generator<DateStatement> {
  for (const line of lines) {
    if (mentionsChanged(line.text) && linesNear().find(({ block }) => block === line)?.kind === 'changed') continue
    // the <time> around a line begins before its text
    for (let i = Math.max(1, line.from - 3); i < line.to; i++) {
      const { name, attributes, end } = nodes[i]!
      if (name !== 'time' || end <= line.from || isOfChange(attributes.class)) continue
      yield { text: attributes.datetime, from: 'markup', trust }
    }
  }
}

function isOfChange(names: string | undefined): boolean {
  return names !== undefined && /updat|modif/i.test(names) && !/publi|creat/i.test(names)
}

/** Anywhere, after the title first: <time>, and short elements with "date" or similar in their class names. */
function* elementsNamedForDates(nodes: readonly PageNode[], titleNode: number): Generator<DateStatement> {
  const middle = Math.max(1, titleNode)
  yield* namedBetween(nodes, middle, nodes.length, titleNode)
  yield* namedBetween(nodes, 1, middle, titleNode)
}

function* namedBetween(
  nodes: readonly PageNode[],
  from: number,
  to: number,
  titleNode: number,
): Generator<DateStatement> {
  let checked = 0
  for (let i = from; i < to && checked < 40; i++) {
    const { name, attributes, end } = nodes[i]!
    const isTime = name === 'time'
    if (!isTime && (name === '' || end - i >= 30 || attributes === NO_ATTRIBUTES)) continue
    if (!isTime && !DATE_NAME.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`)) continue
    checked++
    if (isOfChange(attributes.class) || isUnrelated(nodes, i, titleNode)) continue
    const text = (isTime && attributes.datetime) || textInside(nodes, i, 250)
    if (!mentionsChanged(text)) yield { text, from: 'markup', trust: 0.5 }
  }
}

const DATE_NAME =
  /(?:^|[-_ ])(?:\w{0,8}date|datum|fecha|posted|publish\w{0,4}|published|timestamp|dateline)(?:$|[-_ ])/i
