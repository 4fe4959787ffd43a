/**
 * Walls between a visitor and a page: a check for browsers, or a page that asks for consent to cookies. What stands there is
 * not what was asked for, and says nothing of whether it exists.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'

/** In words for people, if the answer is a check for browsers (Cloudflare, DataDome). */
export function challengeIn(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  if (status < 400) return undefined
  const isChallenge =
    headers['cf-mitigated']?.trim().toLowerCase() === 'challenge' || headers['x-datadome'] !== undefined
  return isChallenge ? 'a check of its host lets only browsers in' : undefined
}

export const CONSENT_WALL = 'the site asks for consent to cookies before it shows the page'

/** Whether this is where a site asks for consent, such as consent.youtube.com. */
export function isConsentPage(url: WebAddress): boolean {
  return CONSENT_HOST.test(new URL(url).hostname)
}

const CONSENT_HOST = /^(?:(?:cookie-?)?consents?|guce)\./i

/** The page behind it, as it can be asked for without a cookie; undefined where nothing tells. */
export function pageBehindConsent(wall: WebAddress, asked: WebAddress): WebAddress | undefined {
  const { hostname, searchParams } = new URL(wall)
  const site = hostname.replace(CONSENT_HOST, '')
  const behind = URL.parse(searchParams.get('continue') ?? searchParams.get('done') ?? asked)
  if (!behind || !`.${behind.hostname}`.endsWith(`.${site}`) || CONSENT_HOST.test(behind.hostname)) return undefined
  behind.searchParams.set('ucbcb', '1') // consent was answered elsewhere: known to Google's sites, ignored by others
  return webAddress(behind.href)
}
