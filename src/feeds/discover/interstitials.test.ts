/** Interstitial pages are recognized. */
import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { challengeIn, isConsentPage, pageBehindConsent } from './interstitials.ts'

it.each<[number, Record<string, string>, boolean]>([
  [403, { 'cf-mitigated': 'challenge' }, true],
  [503, { 'cf-mitigated': 'Challenge' }, true],
  [403, { 'x-datadome': 'protected' }, true],
  [403, {}, false],
  [200, { 'cf-mitigated': 'challenge' }, false],
])('%i with %j is a bot check: %s', (status, headers, is) => {
  expect(challengeIn(status, headers) !== undefined).toBe(is)
})

it.each([
  ['https://consent.youtube.com/m?continue=x', true],
  ['https://guce.tides.example/consent', true],
  ['https://www.youtube.com/@anna', false],
  ['https://consenting.example/', false],
])('%s is a consent page: %s', (url, is) => {
  expect(isConsentPage(address(url))).toBe(is)
})

it.each([
  [
    'https://consent.youtube.com/m?continue=https://www.youtube.com/@anna?cbrd%3D1',
    'https://www.youtube.com/@anna?cbrd=1&ucbcb=1',
  ],
  ['https://consent.youtube.com/m', 'https://www.youtube.com/@anna?ucbcb=1'],
  ['https://consent.youtube.com/m?continue=https://evil.example/', undefined],
  ['https://consent.youtube.com/m?continue=https://consent.youtube.com/', undefined],
])('the page behind %s is %s', (wall, page) => {
  expect(pageBehindConsent(address(wall), address('https://www.youtube.com/@anna'))).toBe(page)
})
