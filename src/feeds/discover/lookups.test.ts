import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { lookupOf } from './lookups.ts'

const WEB_FINGER = 'https://social.example/.well-known/webfinger?resource=acct:anna@social.example'
const profileAt = (href: unknown) => ({ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href })

describe('lookupOf', () => {
  it.each([
    [WEB_FINGER, WEB_FINGER],
    ['https://podcasts.apple.com/de/podcast/tides/id123?i=9', 'https://itunes.apple.com/lookup?id=123&entity=podcast'],
    ['https://itunes.apple.com/us/podcast/id123', 'https://itunes.apple.com/lookup?id=123&entity=podcast'],
    ['https://podcasts.apple.com/us/charts', undefined],
    ['https://social.example/.well-known/webfinger?resource=https://social.example/@anna', undefined],
    ['https://example.org/id123', undefined],
  ])('%s', (url, document) => {
    expect(lookupOf(address(url))?.url).toBe(document)
  })

  it.each([
    [
      'the profile page of Mastodon',
      [profileAt('https://tides.example/@anna')],
      ['https://tides.example/@anna.rss', 'https://tides.example/@anna.atom'],
      'https://tides.example/@anna',
    ],
    [
      'the actor, if there is no profile page',
      [{ rel: 'self', type: 'application/activity+json', href: 'https://tides.example/users/anna' }],
      ['https://tides.example/users/anna.atom', 'https://tides.example/users/anna/feed.atom'],
      'https://tides.example/users/anna',
    ],
    [
      'the feed that it names',
      [
        {
          rel: 'http://schemas.google.com/g/2010#updates-from',
          type: 'application/atom+xml',
          href: 'https://a.example/feed',
        },
        profileAt('https://a.example/profile/anna'),
      ],
      ['https://a.example/feed'],
      'https://a.example/profile/anna',
    ],
    [
      'the usual address of the profile, if the document says nothing',
      [null, 5, profileAt(7), profileAt('javascript:x')],
      ['https://social.example/@anna.rss', 'https://social.example/@anna.atom'],
      'https://social.example/@anna',
    ],
  ])('reads from WebFinger %s', (_, links, feeds, page) => {
    expect(lookupOf(address(WEB_FINGER))!.read({ links })).toMatchObject({ feeds, page })
  })

  it.each([[undefined], [null], ['text'], [{ results: {} }], [{ results: [{ feedUrl: 'x' }, null] }]])(
    "finds nothing in a directory's answer like %j",
    (json) => {
      expect(lookupOf(address('https://podcasts.apple.com/x/id1'))!.read(json)).toMatchObject({ feeds: [] })
    },
  )

  it('reads at most fifty results or links', () => {
    const results = [...Array(50).fill({}), { feedUrl: 'https://a.example/feed' }]
    expect(lookupOf(address('https://podcasts.apple.com/x/id1'))!.read({ results }).feeds).toEqual([])
  })
})
