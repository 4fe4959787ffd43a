/** Sites that entries link to. */
import { describe, expect, test } from 'vitest'
import type { EntryId, FeedId } from '../model/index.ts'
import { createLinkTally } from './linked-sites.ts'

const entry = (id: number, feedId: number, url = `https://own${feedId}.example/${id}`) => ({
  id: id as EntryId,
  feedId: feedId as FeedId,
  title: `Entry ${id}`,
  url,
})

describe('linked sites', () => {
  test('are ranked by the feeds that link there, with one example of each', () => {
    const tally = createLinkTally([])
    for (let i = 0; i < 9; i++) tally.add(entry(i, 1), ['https://often.example/1', 'https://www.often.example/2'])
    tally.add(entry(20, 1), ['https://both.example/a'])
    tally.add(entry(21, 2), ['https://both.example/b', 'https://once.example/'])
    const sites = tally.top(9)
    expect(sites.map(({ host, feeds, entries }) => [host, feeds, entries])).toEqual([
      ['both.example', 2, 2],
      ['often.example', 1, 9],
    ])
    expect(sites[0]?.examples.map(({ url }) => url)).toEqual(['https://both.example/a', 'https://both.example/b'])
    expect(tally.top(1)).toHaveLength(1)
  })

  test.each([
    ['the own site of the entry', 'https://own1.example/x'],
    ['a followed site', 'https://followed.example/x'],
    ['a part of a followed site', 'https://news.followed.example/x'],
    ['the site above a followed feed', 'https://parent.example/x'],
    ['a platform', 'https://www.youtube.com/watch?v=1'],
    ['a subdomain of a platform', 'https://gist.github.com/x'],
    ['a shop of a country', 'https://www.amazon.co.uk/dp/1'],
    ['a machine without a name', 'http://192.168.1.1/'],
    ['a local name', 'http://localhost:3000/'],
  ])('leave out %s', (_, url) => {
    const tally = createLinkTally(['followed.example', 'feeds.parent.example'])
    for (let i = 0; i < 5; i++) tally.add(entry(i, 1), [url])
    expect(tally.top(9)).toEqual([])
  })

  test('tenants of a hosting platform are sites of their own', () => {
    const tally = createLinkTally(['anna.blogs.example'])
    tally.add(entry(1, 1), ['https://bob.blogs.example/'])
    tally.add(entry(2, 2), ['https://bob.blogs.example/'])
    expect(tally.top(9).map(({ host }) => host)).toEqual(['bob.blogs.example'])
  })
})
