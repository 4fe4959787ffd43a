/** Limits on the Link header: servers send megabytes of links, and each is an address to parse. */
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { addHub, feedLinks } from './index.ts'

const url = address('https://a.example/')
/** A header with a link after this many characters. */
const after = (characters: number, link: string) => `<x>; rel="${'x'.repeat(characters - 13)}", ${link}`

it('is read up to sixteen thousand characters, for feeds and for hubs', () => {
  const feed = '</feed>; rel="alternate"; type="application/rss+xml"'
  const found = (characters: number) => feedLinks({ html: '', url, linkHeader: after(characters, feed) })
  expect(found(15_900)).toMatchObject([{ url: 'https://a.example/feed' }])
  expect(found(15_990)).toEqual([])

  const hub = (characters: number) => addHub({ format: 'rss' }, url, after(characters, '</hub>; rel="hub"')).hub
  expect([hub(15_980), hub(16_000)]).toEqual(['https://a.example/hub', undefined])
})

it('yields at most ten feeds, however many links it has', () => {
  const linkHeader = Array.from({ length: 300 }, (_, n) => `</${n}>; rel=feed`).join(', ')
  expect(linkHeader.length).toBeLessThan(16_000)
  expect(feedLinks({ html: '', url, linkHeader })).toHaveLength(10)
})
