import { expect, it } from 'vitest'
import { webAddress } from '../model/index.ts'
import { parseFeed } from './index.ts'

it('keeps ten thousand entries of a document', () => {
  const items = Array.from({ length: 10_001 }, (_, n) => `<item><guid>${n}</guid><title>${n}</title></item>`)
  const text = `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`
  const feed = parseFeed(Buffer.from(text), { url: 'https://a.example/feed' })
  expect(feed).toMatchObject({ kind: 'feed', droppedEntries: 1, entries: { length: 10_000 } })
})

it('rejects addresses of more than 8,192 characters', () => {
  const of = (characters: number) => `https://a.example/${'x'.repeat(characters - 18)}`
  expect([webAddress(of(8192)), webAddress(of(8193))]).toEqual([of(8192), undefined])
})
