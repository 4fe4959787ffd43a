/** What is wrong with a feed and what the user can do, in plain words. */
import { troubleText } from '../shell/trouble-text.ts'
import { words } from '../words.ts'
import { type FeedRow, isInTrouble } from './feed-rows.ts'

export interface Advice {
  problem: string
  advice: string
  /** Since when: the last success, or the last entry. */
  since: string | undefined
  /** Searching the site for the feed may help. */
  hasMoved: boolean
}

const w = words.manage.advice

/** Server errors that end by themselves. */
const TEMPORARY = new Set(['timeout', 'too-large', 'broken-body', 'internal'])

export function adviceFor(row: FeedRow): Advice {
  const { details, state } = row
  if (!isInTrouble(row)) {
    return { problem: w.silent, advice: w.silentAdvice, since: details.lastEntryAt, hasMoved: true }
  }
  const since = details.succeededAt
  const { kind, status = 0 } = details.trouble ?? {}
  const text = details.trouble ? troubleText(details.trouble) : ''
  if (details.successorUrl)
    return { problem: w.successor({ url: details.successorUrl }), advice: w.successorAdvice, since, hasMoved: false }
  if (state === 'gone' || status === 410) return { problem: w.gone, advice: w.movedAdvice, since, hasMoved: true }
  if (status === 404) return { problem: w.notFound, advice: w.movedAdvice, since, hasMoved: true }
  if (kind === 'not-a-feed') return { problem: w.notAFeed, advice: w.movedAdvice, since, hasMoved: true }
  if (status === 401) return { problem: w.login, advice: w.loginAdvice, since, hasMoved: false }
  if (status === 403 || kind?.startsWith('forbidden'))
    return { problem: sentence(text), advice: w.refusedAdvice, since, hasMoved: true }
  if (status === 429) return { problem: w.tooMany, advice: w.waitAdvice, since, hasMoved: false }
  if (kind === 'unreachable' || kind === 'redirects')
    return { problem: sentence(text), advice: w.unreachableAdvice, since, hasMoved: true }
  const isTemporary = status >= 500 || TEMPORARY.has(kind ?? '')
  return { problem: sentence(text), advice: isTemporary ? w.waitAdvice : w.movedAdvice, since, hasMoved: !isTemporary }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
