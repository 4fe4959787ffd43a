/**
 * A digest as text and HTML, of bounded size. Everything from publishers is text and is escaped; links lead to our page, or to the publisher
 * where the address of the page is not known.
 */

import type { EntryShape } from '../../api/index.ts'
import { escapeHtml } from '../../articles/index.ts'
import type { MorningStory } from '../../client/index.ts'
import type { DigestPeriod } from './digest-schedule.ts'

export interface DigestContent {
  /** Reported by several outlets, the most important first. */
  stories: readonly MorningStory[]
  /** Further entries of the morning page. */
  single: readonly EntryShape[]
  /** Saved searches and folders. */
  sections: readonly { title: string; entries: readonly EntryShape[] }[]
}

export interface Digest {
  subject: string
  /** The inside of a body. */
  html: string
  text: string
}

interface Item {
  title: string
  url?: string
  about: string
  excerpt: string
}

const MAX_TITLE = 300
const MAX_EXCERPT = 300
const MAX_OUTLETS = 4
const MAX_SUBJECT = 150
/** Characters of the HTML; what does not fit is left out. */
export const MAX_DIGEST_LENGTH = 90_000

/** Undefined if there is nothing new. `pageUrl`: the public address of the page, without a slash at its end. */
export function composeDigest(
  { stories, single, sections }: DigestContent,
  period: DigestPeriod,
  { timeZone, pageUrl }: { timeZone: string; pageUrl: string },
): Digest | undefined {
  const parts = [
    { title: 'Stories', items: stories.map((story) => storyItem(story, pageUrl)) },
    { title: stories.length > 0 ? 'More' : 'Entries', items: single.map((entry) => entryItem(entry, pageUrl)) },
    ...sections.map(({ title, entries }) => ({ title, items: entries.map((entry) => entryItem(entry, pageUrl)) })),
  ].filter(({ items }) => items.length > 0)
  const first = parts[0]?.items[0]
  if (!first) return undefined
  const day = dayName(period, timeZone)
  const fitting = limitLength(parts)
  return {
    subject: cut(oneLine(`${day}: ${first.title}`), MAX_SUBJECT),
    html: [
      `<h1>${escapeHtml(day)}</h1>`,
      ...fitting.flatMap(({ title, items }) => [
        `<h2>${escapeHtml(title)}</h2>`,
        '<ul>',
        ...items.map(htmlOf),
        '</ul>',
      ]),
    ].join('\n'),
    text: [day, ...fitting.flatMap(({ title, items }) => [`## ${title}`, ...items.map(textOf)])].join('\n\n'),
  }
}

function storyItem({ primary, outlets }: MorningStory, pageUrl: string): Item {
  const names = [...new Set(outlets.map(({ entry }) => entry.feedTitle ?? ''))].filter(Boolean)
  const more = names.length - MAX_OUTLETS
  const about = [...names.slice(0, MAX_OUTLETS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return { ...entryItem(primary, pageUrl), about }
}

function entryItem({ id, title, url, feedTitle = '', excerpt = '' }: EntryShape, pageUrl: string): Item {
  const ofPublisher = url && /^https?:\/\//i.test(url) ? url : undefined
  const link = pageUrl === '' ? ofPublisher : `${pageUrl}/read/all?e=${id}`
  return {
    title: cut(oneLine(title), MAX_TITLE) || 'Untitled',
    ...(link && { url: link }),
    about: oneLine(feedTitle),
    excerpt: cut(oneLine(excerpt), MAX_EXCERPT),
  }
}

function htmlOf({ title, url, about, excerpt }: Item): string {
  const name = url ? `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>` : escapeHtml(title)
  const source = about && `<br><small>${escapeHtml(about)}</small>`
  return `<li><p><strong>${name}</strong>${source}${excerpt && `<br>${escapeHtml(excerpt)}`}</p></li>`
}

function textOf({ title, url, about, excerpt }: Item): string {
  return [`* ${title}${about && ` (${about})`}`, excerpt, url].filter(Boolean).join('\n  ')
}

function limitLength(parts: { title: string; items: Item[] }[]): { title: string; items: Item[] }[] {
  let length = 0
  const fits = (item: Item) => {
    length += htmlOf(item).length
    return length <= MAX_DIGEST_LENGTH
  }
  return parts.map(({ title, items }) => ({ title, items: items.filter(fits) })).filter(({ items }) => items.length > 0)
}

/** Of the day, or of the week that ends on it. */
function dayName({ from, dueAt }: DigestPeriod, timeZone: string): string {
  const isWeek = dueAt - from > 3 * 86_400_000
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' })
  return isWeek ? `Week to ${format.format(dueAt)}` : format.format(dueAt)
}

/** Without control characters, which have a meaning in mail headers and terminals. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
