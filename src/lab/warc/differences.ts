/** Differences of a replay: one line each, and their number by kind. */
import type { ArticleFacts, ArticleText, Entry, Failure, FeedId, Instant, Poll } from '../../model/index.ts'

/**
 * - poll:    another result: a failure, more or fewer entries
 * - entry:   present or missing, or other content
 * - date:    of an entry or article
 * - text:    of an article or entry
 * - due:     the next due date of the feed
 */
export type DifferenceKind = 'poll' | 'entry' | 'date' | 'text' | 'due'

export interface Difference {
  kind: DifferenceKind
  /** Time of the request. */
  at: Instant
  feedId?: FeedId
  /** Address of the feed or page. */
  url: string
  /** Title of the entry, or name of the field. */
  of: string
  was: string
  is: string
}

const DATES = ['publishedAt', 'updatedAt'] as const
const WORDS = ['title', 'url', 'author', 'summary', 'content', 'language'] as const

/** One per differing field of an entry; without a category set by a user. */
export function entryDifferences(
  recorded: Entry,
  now: Entry,
  { feedId, url, ownCategory }: { feedId: FeedId; url: string; ownCategory?: string },
): Difference[] {
  const about = { feedId, url }
  const at = recorded.seenAt
  const of = (field: string) => `${field} of "${recorded.title}"`
  return [
    ...DATES.flatMap((field): Difference[] =>
      recorded[field] === now[field]
        ? []
        : [{ kind: 'date', at, ...about, of: of(field), was: formatDate(recorded[field]), is: formatDate(now[field]) }],
    ),
    ...[...WORDS, ...(ownCategory ? [] : (['category'] as const))].flatMap((field): Difference[] =>
      (recorded[field] ?? '') === (now[field] ?? '')
        ? []
        : [{ kind: 'text', at, ...about, of: of(field), ...excerptsAround(recorded[field] ?? '', now[field] ?? '') }],
    ),
  ]
}

/** Differences of a page; its language and category also depend on its entries and are not compared. */
export function articleDifferences(
  recorded: ArticleText & { facts: ArticleFacts | undefined },
  now: ArticleText & { facts: ArticleFacts },
  about: Pick<Difference, 'at' | 'url'>,
): Difference[] {
  const found: Difference[] = []
  const text = (of: string, a: string, b: string) => {
    if (a !== b) found.push({ kind: 'text', ...about, of, ...excerptsAround(a, b) })
  }
  text('text', recorded.text, now.text)
  if (recorded.text === now.text) text('html', recorded.html, now.html)
  text('title', recorded.facts?.title ?? '', now.facts.title ?? '')
  text('authors', (recorded.facts?.authors ?? []).join(', '), (now.facts.authors ?? []).join(', '))
  const [a, b] = [recorded.facts?.published?.at, now.facts.published?.at]
  if (a !== b) found.push({ kind: 'date', ...about, of: 'published', was: formatDate(a), is: formatDate(b) })
  return found
}

/** A short description of a poll's result, equal for equal results. */
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

/** Excerpts of both texts, from shortly before their first difference. */
function excerptsAround(before: string, after: string): Pick<Difference, 'was' | 'is'> {
  let sharedLength = 0
  while (sharedLength < before.length && before[sharedLength] === after[sharedLength]) sharedLength++
  const from = Math.max(0, sharedLength - BEFORE)
  const excerptOf = (text: string) => {
    const end = text.length > from + SHOWN ? '…' : ''
    return `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${end}`.replace(/\s+/g, ' ')
  }
  return { was: excerptOf(before), is: excerptOf(after) }
}
