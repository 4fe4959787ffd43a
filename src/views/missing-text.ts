/** Why the text of an entry's page is missing or incomplete, for programs and in words for people. */
import type { MissingTextReason, MissingTextShape } from '../api/index.ts'
import { CONSENT_MESSAGE } from '../feeds/index.ts'
import { describeFailure, type Failure, failureHint, MAX_PAGE_BYTES, type StoredArticle } from '../model/index.ts'

const WORDS: Record<MissingTextReason, string> = {
  waiting: 'The page has not been fetched yet.',
  expired: 'The text of the page was deleted because of its age.',
  noarchive: 'The page asks not to be copied (noarchive), so its text is shown only to users who follow the feed.',
  paywall: 'The site shows the full text to subscribers only; this may be just its beginning.',
  robots: 'The robots.txt of the site does not allow fetching the page.',
  noindex: 'The page asks not to be stored (noindex).',
  consent: 'The site asks for consent to cookies before it shows the page.',
  challenge: 'The site shows a bot check instead of the page.',
  login: 'The site asks for a login.',
  refused: 'The site refused to send the page.',
  gone: 'The page does not exist any more.',
  'too-large': `The page is larger than ${MAX_PAGE_BYTES / 1e6} MB.`,
  'not-a-page': 'The link leads to a file, not to a page with text.',
  repeated: 'The site sends the same text for different articles.',
  unreachable: 'The site could not be reached.',
  overloaded: 'The site is overloaded or has a problem.',
  error: 'The page could not be fetched.',
}

/** Undefined if the text is there and complete. `isWithheld`: it is there, but not for this caller. */
export function missingText(
  { state, trouble, noArchive, facts }: StoredArticle,
  { hasText, isWithheld }: { hasText: boolean; isWithheld: boolean },
): MissingTextShape | undefined {
  if (isWithheld && noArchive) return reasonShape('noarchive')
  if (hasText) return facts?.paywall === 'locked' ? reasonShape('paywall') : undefined
  if (state === 'read' || state === 'same') return reasonShape('expired')
  if (!trouble) return reasonShape(state === 'waiting' ? 'waiting' : 'error')
  return reasonShape(reasonOf(trouble), trouble)
}

function reasonShape(reason: MissingTextReason, trouble?: Failure): MissingTextShape {
  const words = reason === 'error' && trouble ? sentence(describeFailure(trouble)) : WORDS[reason]
  const hint = trouble && failureHint(trouble)
  return { reason, words, ...(hint !== undefined && { hint }) }
}

/** The details that the fetcher gives tell a consent page from a file, and a bot check from an error. */
function reasonOf(failure: Failure): MissingTextReason {
  switch (failure.kind) {
    case 'http':
      return reasonOfStatus(failure.status, failure.detail)
    case 'forbidden-by-robots':
      return 'robots'
    case 'forbidden-by-page':
      return 'noindex'
    case 'too-large':
      return 'too-large'
    case 'not-a-page':
      if (failure.detail === CONSENT_MESSAGE) return 'consent'
      return failure.detail?.startsWith('several pages') ? 'repeated' : 'not-a-page'
    case 'unreachable':
    case 'timeout':
      return 'unreachable'
    default:
      return 'error'
  }
}

function reasonOfStatus(status: number, detail: string | undefined): MissingTextReason {
  if (detail !== undefined) return 'challenge'
  if (status === 401 || status === 407) return 'login'
  if (status === 402) return 'paywall'
  if (status === 404 || status === 410) return 'gone'
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'overloaded'
  return status === 403 || status === 451 ? 'refused' : 'error'
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
