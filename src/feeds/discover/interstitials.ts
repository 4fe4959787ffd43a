/**
 * Interstitial pages: bot checks and cookie consent pages. Such a response is not the requested page and says nothing about whether
 * that exists.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'

/** A message for users if the response is a bot check (Cloudflare, DataDome). */
export function detectBotCheck(status: number, headers: Readonly<Record<string, string>>): string | undefined {
  if (status < 400) return undefined
  const isChallenge =
    headers['cf-mitigated']?.trim().toLowerCase() === 'challenge' || headers['x-datadome'] !== undefined
  return isChallenge ? 'its host blocks crawlers with a bot check' : undefined
}

export const CONSENT_MESSAGE = 'the site asks for consent to cookies before it shows the page'

/** Whether this is a consent page, such as consent.youtube.com. */
export function isConsentPage(url: WebAddress): boolean {
  return CONSENT_HOST.test(new URL(url).hostname)
}

const CONSENT_HOST = /^(?:(?:cookie-?)?consents?|guce)\./i

/** The address of the page behind a consent page that can be fetched without a cookie; undefined if unknown. */
export function pageBehindConsent(consentPage: WebAddress, requested: WebAddress): WebAddress | undefined {
  const { hostname, searchParams } = new URL(consentPage)
  const site = hostname.replace(CONSENT_HOST, '')
  const target = URL.parse(searchParams.get('continue') ?? searchParams.get('done') ?? requested)
  if (!target || !`.${target.hostname}`.endsWith(`.${site}`) || CONSENT_HOST.test(target.hostname)) return undefined
  target.searchParams.set('ucbcb', '1') // skips the consent page on Google's sites; others ignore it
  return webAddress(target.href)
}
