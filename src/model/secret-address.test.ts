import { describe, expect, it } from 'vitest'
import { isPrivateFeed, isSecretAddress, withoutSecrets } from './index.ts'

const CASES: [address: string, redacted: string | undefined][] = [
  ['https://news.example/feed.xml', undefined],
  ['https://news.example/', undefined],
  ['https://news.example/rss?category=science&limit=50', undefined],
  ['https://news.example/rss?author=anne&keyword=flood', undefined],
  ['https://news.example/2026/11/the-very-long-title-of-an-article-about-floods/feed', undefined],
  ['https://news.example/internationalisation/feed', undefined],
  ['https://video.example/feeds/videos.xml?channel_id=UCq7Zx0aB1cD2eF3gH4iJ5kL', undefined],
  ['https://pod.example/s/1e4a0eac/podcast/rss', undefined],
  ['https://shop.example/passion-fruit/keyboards.rss?page=2', undefined],
  ['https://ada:pw@news.example/feed', 'https://***@news.example/feed'],
  ['https://pod.example/feed?auth=s3', 'https://pod.example/feed?auth=***'],
  ['https://pod.example/feed?x=1&token=abc&y=2', 'https://pod.example/feed?x=1&token=***&y=2'],
  ['https://pod.example/feed?api_key=abc', 'https://pod.example/feed?api_key=***'],
  ['https://pod.example/feed?apiKey=abc', 'https://pod.example/feed?apiKey=***'],
  ['https://pod.example/feed?userToken=abc#part', 'https://pod.example/feed?userToken=***#part'],
  ['https://pod.example/feed?X-Amz-Signature=abc', 'https://pod.example/feed?X-Amz-Signature=***'],
  ['https://pod.example/feed?sig=abc&secret=def', 'https://pod.example/feed?sig=***&secret=***'],
  ['https://pod.example/feed?u=9f8e7d6c5b4a39281706', 'https://pod.example/feed?u=***'],
  ['https://pod.example/feed?9f8e7d6c5b4a39281706', 'https://pod.example/feed?***'],
  ['https://pod.example/u/9f8e7d6c5b4a39281706.rss', 'https://pod.example/u/***.rss'],
  ['https://pod.example/u/550e8400-e29b-41d4-a716-446655440000/feed', 'https://pod.example/u/***/feed'],
  ['https://alerts.example/feeds/01234567890123456789/1', 'https://alerts.example/feeds/***/1'],
  ['https://pod.example/p/QmVhdXRpZnVsU2VjcmV0Rm9yTWU', 'https://pod.example/p/***'],
  ['https://pod.example/feed?auth=%zz', 'https://pod.example/feed?auth=***'],
  ['https://pod.example/feed?auth=', undefined],
]

describe('secret addresses', () => {
  it.each(CASES)('%s', (address, redacted) => {
    expect(isSecretAddress(address)).toBe(redacted !== undefined)
    expect(withoutSecrets(address)).toBe(redacted ?? address)
  })

  it('make a feed private, and so do credentials', () => {
    expect(isPrivateFeed({ url: 'https://pod.example/feed?auth=x' })).toBe(true)
    expect(isPrivateFeed({ url: 'https://a.example/', credentials: { user: 'ada', password: 'pw' } })).toBe(true)
    expect(isPrivateFeed({ url: 'https://a.example/' })).toBe(false)
  })

  it('are detected in linear time', () => {
    const began = performance.now()
    isSecretAddress(`https://a.example/${'aA0-'.repeat(500_000)}?${'k=v&'.repeat(100_000)}`)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
