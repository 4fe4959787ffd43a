/**
 * Interstitial pages: bot checks and cookie consent pages. Such a response is not the requested page and says nothing about whether
 * that exists.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'

/** A message for users if the response is a bot check (Cloudflare, DataDome). */
export function challengeIn(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  if (status < 400) return undefined
  const isChallenge =
    headers['cf-mitigated']?.trim().toLowerCase() === 'challenge' || headers['x-datadome'] !== undefined
  return isChallenge ? 'a check of its host lets only browsers in' : undefined
}

export const CONSENT_WALL = 'the site asks for consent to cookies before it shows the page'

/** Whether this is a consent page, such as consent.youtube.com. */
export function isConsentPage(url: WebAddress): boolean {
  return CONSENT_HOST.test(new URL(url).hostname)
}

const CONSENT_HOST = /^(?:(?:cookie-?)?consents?|guce)\./i

/** The address of the page behind a consent page that can be fetched without a cookie; undefined if unknown. */
export function pageBehindConsent(wall: WebAddress, asked: WebAddress): WebAddress | undefined {
  const { hostname, searchParams } = new URL(wall)
  const site = hostname.replace(CONSENT_HOST, '')
  const behind = URL.parse(searchParams.get('continue') ?? searchParams.get('done') ?? asked)
  if (!behind || !`.${behind.hostname}`.endsWith(`.${site}`) || CONSENT_HOST.test(behind.hostname)) return undefined
  behind.searchParams.set('ucbcb', '1') // skips the consent page on Google's sites; others ignore it
  return webAddress(behind.href)
}
