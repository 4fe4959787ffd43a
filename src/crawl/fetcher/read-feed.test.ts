/** Detection of unchanged documents: a document's own date is ignored, everything else counts. */
import { expect, it } from 'vitest'
import { bodyHashOf } from './read-feed.ts'

const hashOf = (text: string) => bodyHashOf(Buffer.from(text))

const rss = (built: string, item = '<item><title>ebb</title><pubDate>Mon, 16 Nov 2026 12:00:00 GMT</pubDate></item>') =>
  `<?xml version="1.0"?><rss><channel><title>Gänse</title><lastBuildDate>${built}</lastBuildDate><pubDate>${built}</pubDate>${item}</channel></rss>`
const atom = (updated: string, entry = '<entry><updated>2026-11-16T12:00:00Z</updated></entry>') =>
  `<feed><updated>${updated}</updated>${entry}</feed>`

it('gives documents that differ only in their build date the same hash', () => {
  expect(hashOf(rss('Mon, 16 Nov 2026 12:00:00 GMT'))).toBe(hashOf(rss('Tue, 17 Nov 2026 12:00:00 GMT')))
  expect(hashOf(atom('2026-11-16T12:00:00Z'))).toBe(hashOf(atom('2026-11-17T12:00:00Z')))
  expect(hashOf('<rss><channel></channel></rss>')).not.toBe(hashOf('<rss><channel> </channel></rss>'))
})

it('gives documents that differ in anything else different hashes, such as an entry date or a far end', () => {
  const same = rss('Mon, 16 Nov 2026 12:00:00 GMT')
  expect(hashOf(rss('x', '<item><title>ebb</title><pubDate>Tue, 17 Nov 2026 12:00:00 GMT</pubDate></item>'))).not.toBe(
    hashOf(same),
  )
  expect(hashOf(same.replace('Gänse', 'Ganse'))).not.toBe(hashOf(same))
  expect(hashOf(atom('a', '<entry><updated>2026-11-17T12:00:00Z</updated></entry>'))).not.toBe(hashOf(atom('a')))
  const long = (end: string) => `${rss('a')}${'<item></item>'.repeat(2000)}${end}`
  expect(hashOf(long('b'))).not.toBe(hashOf(long('c')))
  const deep = (date: string) => `<rss>${' '.repeat(9000)}<lastBuildDate>${date}</lastBuildDate></rss>`
  expect(hashOf(deep('b'))).not.toBe(hashOf(deep('c')))
})
