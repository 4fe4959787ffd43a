/** Interstitial pages are recognized. */
import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { detectBotCheck, isConsentPage, pageBehindConsent } from './interstitials.ts'

it.each<[number, Record<string, string>, boolean]>([
  [403, { 'cf-mitigated': 'challenge' }, true],
  [503, { 'cf-mitigated': 'Challenge' }, true],
  [403, { 'x-datadome': 'protected' }, true],
  [403, {}, false],
  [200, { 'cf-mitigated': 'challenge' }, false],
])('%i with %j is a bot check: %s', (status, headers, expected) => {
  expect(detectBotCheck(status, headers) !== undefined).toBe(expected)
})

it.each([
  ['https://consent.youtube.com/m?continue=x', true],
  ['https://guce.tides.example/consent', true],
  ['https://www.youtube.com/@anna', false],
  ['https://consenting.example/', false],
])('%s is a consent page: %s', (url, expected) => {
  expect(isConsentPage(address(url))).toBe(expected)
})

it.each([
  [
    'https://consent.youtube.com/m?continue=https://www.youtube.com/@anna?cbrd%3D1',
    'https://www.youtube.com/@anna?cbrd=1&ucbcb=1',
  ],
  ['https://consent.youtube.com/m', 'https://www.youtube.com/@anna?ucbcb=1'],
  ['https://consent.youtube.com/m?continue=https://evil.example/', undefined],
  ['https://consent.youtube.com/m?continue=https://consent.youtube.com/', undefined],
])('the page behind %s is %s', (consentPage, page) => {
  expect(pageBehindConsent(address(consentPage), address('https://www.youtube.com/@anna'))).toBe(page)
})
