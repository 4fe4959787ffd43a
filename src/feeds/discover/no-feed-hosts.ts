/** Known hosts without feeds. Users get a sentence that says what they can do, and no requests are made. */

/** Host and path as in the host rules, and a sentence without a full stop. */
type NoFeedHost = [host: string, pattern: RegExp, reason: string]

const ANY = /^/
const BRIDGE = 'to read it through a bridge, add it as a feed (--feed) and set its bridge (--bridge)'

const noFeed = (name: string, advice = BRIDGE): string => `${name} has no feeds; ${advice}`

export const NO_FEED_HOSTS: readonly NoFeedHost[] = [
  ['t.me', ANY, noFeed('Telegram')],
  ['telegram.me', ANY, noFeed('Telegram')],
  ['open.spotify.com', ANY, noFeed('Spotify', "add the show's own site, or its link on Apple Podcasts")],
  ['twitch.tv', ANY, noFeed('Twitch')],
  ['x.com', ANY, noFeed('X')],
  ['twitter.com', ANY, noFeed('X')],
  ['instagram.com', ANY, noFeed('Instagram')],
  ['facebook.com', ANY, noFeed('Facebook')],
  ['threads.net', ANY, noFeed('Threads')],
  ['threads.com', ANY, noFeed('Threads')],
  ['tiktok.com', ANY, noFeed('TikTok')],
  ['linkedin.com', ANY, noFeed('LinkedIn')],
  ['bandcamp.com', ANY, noFeed('Bandcamp')],
  ['*.bandcamp.com', ANY, noFeed('Bandcamp')],
  ['bitbucket.org', ANY, noFeed('Bitbucket')],
  ['npmjs.com', ANY, noFeed('npm', "add the package's repository instead, whose releases have a feed")],
  ['hub.docker.com', ANY, noFeed('Docker Hub', "add the image's repository instead, whose releases have a feed")],
  [
    'news.ycombinator.com',
    /^\/(?!(?:news)?(?:\?|$))/,
    'Hacker News has a feed of its front page only; add news.ycombinator.com',
  ],
]
