/** What would be otherwise today: one line each, and how many there are of each kind. */
import type { ArticleFacts, ArticleText, Entry, Failure, FeedId, Instant, Poll } from '../../model/index.ts'

/**
 * - poll:    it would have come to something else: a failure, more or fewer entries
 * - entry:   it would be there, or not, or say something else
 * - date:    of an entry or article
 * - text:    of an article, or what an entry says
 * - due:     when the feed would be polled next
 */
export type DifferenceKind = 'poll' | 'entry' | 'date' | 'text' | 'due'

export interface Difference {
  kind: DifferenceKind
  /** Of the request. */
  at: Instant
  feedId?: FeedId
  /** Of the feed or page. */
  url: string
  /** Of which entry, by its title, or of which field. */
  of: string
  was: string
  is: string
}

const DATES = ['publishedAt', 'updatedAt'] as const
const WORDS = ['title', 'url', 'author', 'summary', 'content', 'language'] as const

/** Of the fields of an entry, each that says something else; not of a category that a person gave to the feed. */
export function entryDifferences(
  then: Entry,
  now: Entry,
  { feedId, url, ownCategory }: { feedId: FeedId; url: string; ownCategory?: string },
): Difference[] {
  const about = { feedId, url }
  const at = then.seenAt
  const of = (field: string) => `${field} of "${then.title}"`
  return [
    ...DATES.flatMap((field): Difference[] =>
      then[field] === now[field]
        ? []
        : [{ kind: 'date', at, ...about, of: of(field), was: formatDate(then[field]), is: formatDate(now[field]) }],
    ),
    ...[...WORDS, ...(ownCategory ? [] : (['category'] as const))].flatMap((field): Difference[] =>
      (then[field] ?? '') === (now[field] ?? '')
        ? []
        : [{ kind: 'text', at, ...about, of: of(field), ...apart(then[field] ?? '', now[field] ?? '') }],
    ),
  ]
}

/** Of what a page says; its language and category are told with the help of its entries, and are not compared. */
export function articleDifferences(
  then: ArticleText & { facts: ArticleFacts | undefined },
  now: ArticleText & { facts: ArticleFacts },
  about: Pick<Difference, 'at' | 'url'>,
): Difference[] {
  const found: Difference[] = []
  const text = (of: string, a: string, b: string) => {
    if (a !== b) found.push({ kind: 'text', ...about, of, ...apart(a, b) })
  }
  text('text', then.text, now.text)
  if (then.text === now.text) text('html', then.html, now.html)
  text('title', then.facts?.title ?? '', now.facts.title ?? '')
  text('authors', (then.facts?.authors ?? []).join(', '), (now.facts.authors ?? []).join(', '))
  const [a, b] = [then.facts?.published?.at, now.facts.published?.at]
  if (a !== b) found.push({ kind: 'date', ...about, of: 'published', was: formatDate(a), is: formatDate(b) })
  return found
}

/** What became of a poll, in a few words that are the same if it was the same. */
export function summarizeResult(result: Poll['result']): string {
  switch (result.kind) {
    case 'read':
      return `${result.fresh} new, ${result.changed} changed of ${result.window}${result.gap ? ', a gap' : ''}`
    case 'not-modified':
      return `not modified, by ${result.by}`
    case 'failed':
      return failureInShort(result.failure)
  }
}

export function formatDate(at: Instant | undefined): string {
  return at === undefined ? 'none' : new Date(at).toISOString()
}

function failureInShort(failure: Failure): string {
  return failure.kind === 'http' ? `failed: ${failure.status}` : `failed: ${failure.kind}`
}

const SHOWN = 60
const BEFORE = 15

/** Both from shortly before where they part. */
function apart(then: string, now: string): Pick<Difference, 'was' | 'is'> {
  let same = 0
  while (same < then.length && then[same] === now[same]) same++
  const from = Math.max(0, same - BEFORE)
  const part = (text: string) => {
    const end = text.length > from + SHOWN ? '…' : ''
    return `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${end}`.replace(/\s+/g, ' ')
  }
  return { was: part(then), is: part(now) }
}
