/** Totals of a crawl since it started, counted from its events, with its latest internal errors. */
import { withoutCredentials } from '../../model/index.ts'
import type { Activity, CrawlEvent } from '../crawler.ts'
import { internalFailure } from '../error-boundary.ts'

export interface Totals {
  note(event: CrawlEvent): void
  current(): Pick<Activity, 'totals' | 'internalErrors'>
}

const MAX_ERRORS_SHOWN = 5
const MAX_ACTION_LENGTH = 200

export function zeroTotals(): Activity['totals'] {
  return {
    polls: 0,
    notModified: 0,
    failures: 0,
    fresh: 0,
    changed: 0,
    bytes: 0,
    gaps: 0,
    articles: 0,
    articleFailures: 0,
    internalErrors: 0,
  }
}

export function createTotals(): Totals {
  const totals = zeroTotals()
  let internalErrors: Activity['internalErrors'] = []

  return {
    note(event) {
      if (event.kind === 'polled') count(totals, event)
      if (event.kind === 'found' && event.added) countFirst(totals, event)
      if (event.kind === 'article') countArticle(totals, event)
      if (event.kind === 'pushed') {
        totals.fresh += event.fresh
        totals.changed += event.changed
      }
      if (event.kind === 'internal-error') {
        totals.internalErrors++
        internalErrors = [describeError(event), ...internalErrors].slice(0, MAX_ERRORS_SHOWN)
      }
    },
    current: () => ({ totals: { ...totals }, internalErrors }),
  }
}

function describeError({
  at,
  doing,
  error,
}: Extract<CrawlEvent, { kind: 'internal-error' }>): Activity['internalErrors'][number] {
  return { at, words: `${withoutCredentials(doing.slice(0, MAX_ACTION_LENGTH))}: ${internalFailure(error).detail}` }
}

function countArticle(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'article' }>): void {
  totals.bytes += bytes
  if (result.kind === 'failed') totals.articleFailures++
  else totals.articles++
}

/** Discovering a feed counts as its first poll. */
function countFirst(totals: Activity['totals'], { entries, bytes }: Extract<CrawlEvent, { kind: 'found' }>): void {
  totals.polls++
  totals.bytes += bytes
  totals.fresh += entries
}

function count(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'polled' }>): void {
  totals.polls++
  totals.bytes += bytes
  switch (result.kind) {
    case 'read':
      totals.fresh += result.fresh
      totals.changed += result.changed
      totals.gaps += result.gap ? 1 : 0
      return
    case 'not-modified':
      totals.notModified++
      return
    case 'failed':
      totals.failures++
  }
}
