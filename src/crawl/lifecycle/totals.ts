/** What a crawl has done since it began: counted from its events, with the last of our mistakes in words. */
import { withoutCredentials } from '../../model/index.ts'
import type { Activity, CrawlEvent } from '../crawler.ts'
import { internalFailure } from '../error-boundary.ts'

export interface Totals {
  note(event: CrawlEvent): void
  /** As they are now. */
  told(): Pick<Activity, 'totals' | 'mistakes'>
}

const MISTAKES_SHOWN = 5
const LONGEST_DOING = 200

export function noTotals(): Activity['totals'] {
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
    mistakes: 0,
  }
}

export function createTotals(): Totals {
  const totals = noTotals()
  let mistakes: Activity['mistakes'] = []

  return {
    note(event) {
      if (event.kind === 'polled') count(totals, event)
      if (event.kind === 'found' && event.added) countFirst(totals, event)
      if (event.kind === 'article') countArticle(totals, event)
      if (event.kind === 'pushed') {
        totals.fresh += event.fresh
        totals.changed += event.changed
      }
      if (event.kind === 'mistake') {
        totals.mistakes++
        mistakes = [mistakeInWords(event), ...mistakes].slice(0, MISTAKES_SHOWN)
      }
    },
    told: () => ({ totals: { ...totals }, mistakes }),
  }
}

function mistakeInWords({ at, doing, error }: Extract<CrawlEvent, { kind: 'mistake' }>): Activity['mistakes'][number] {
  return { at, words: `${withoutCredentials(doing.slice(0, LONGEST_DOING))}: ${internalFailure(error).detail}` }
}

function countArticle(totals: Activity['totals'], { result, bytes }: Extract<CrawlEvent, { kind: 'article' }>): void {
  totals.bytes += bytes
  if (result.kind === 'failed') totals.articleFailures++
  else totals.articles++
}

/** The first poll of a feed is that with which it was found. */
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
