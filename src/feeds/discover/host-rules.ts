/**
 * Known hosts whose feed addresses follow from the page's address, so that no page has to be fetched. The results are candidates:
 * each is fetched and parsed like any other.
 *
 * A rule is a host (`*.` matches a subdomain, `*` alone any host), a pattern for path and query, and the feeds, in which $1 and $2
 * are the pattern's groups. The first match wins.
 */

import { type WebAddress, webAddress } from '../../model/index.ts'

/** Feed addresses of a known host for this address, the main one first; empty if no rule matches or it is a feed already. */
export function hostRuleFeeds(address: WebAddress): WebAddress[] {
  const url = new URL(address)
  const path = url.pathname + url.search
  if (IS_FEED.test(path)) return []
  for (const [host, pattern, ...feeds] of RULES) {
    const match = isHost(url.hostname, host) ? pattern.exec(path) : null
    if (match === null) continue
    const filled = feeds.map((feed) => feed.replace(/\$([12])/g, (_, group) => match[Number(group)] ?? ''))
    return [...new Set(filled.flatMap((feed) => webAddress(URL.parse(feed, address)?.href) ?? []))]
  }
  return []
}

type Rule = [host: string, pattern: RegExp, ...feeds: string[]]

const IS_FEED =
  /\.(?:rss|atom|rdf|xml)(?:\?|$)|\/(?:rss|atom|feed)\/?(?:\?|$)|^\/(?:rss|feeds?|data)\/|[?&]format=atom/i

const ANY = /^/
const ONE = /^\/([^/?]+)\/?(?:\?|$)/
const TWO = /^\/([^/?]+)\/([^/?]+)/
const OWN_PAGES =
  /^\/(?:about|apps|collections|explore|features|login|marketplace|orgs|search|settings|signup|topics)\b/

const RULES: Rule[] = [
  // Videos
  ['youtube.com', /[?&]list=([\w-]+)/, '/feeds/videos.xml?playlist_id=$1'],
  ['youtube.com', /^\/channel\/(UC[\w-]+)/, '/feeds/videos.xml?channel_id=$1'],
  ['youtube.com', /^\/user\/([\w-]+)/, '/feeds/videos.xml?user=$1'],
  ['youtube.com', ANY], // the channel id of an @name is only in the page
  ['vimeo.com', /^\/channels\/([^/?]+)/, '/channels/$1/videos/rss'],
  ['vimeo.com', /^\/([a-z][^/?]*)\/?(?:\?|$)/i, '/$1/videos/rss'],
  ['dailymotion.com', ONE, '/rss/user/$1'],

  // Code
  ['github.com', OWN_PAGES],
  ['github.com', /^\/([^/?]+\/[^/?]+)\/(?:commits|tree)\/([^?]+)/, '/$1/commits/$2.atom'],
  ['github.com', TWO, '/$1/$2/releases.atom', '/$1/$2/tags.atom', '/$1/$2/commits.atom'],
  ['github.com', ONE, '/$1.atom'],
  ['gitlab.com', ONE, '/$1.atom'],
  ['gitlab.com', /^\/([^/?][^?]*?)(?:\/-\/[^?]*)?\/?(?:\?|$)/, '/$1/-/tags?format=atom', '/$1.atom'],
  ['codeberg.org', TWO, '/$1/$2/releases.rss', '/$1/$2.rss'],
  ['codeberg.org', ONE, '/$1.rss'],

  // Discussions
  ['reddit.com', /^(\/r\/[^/?]+\/comments\/[^/?]+)/, '$1/.rss'],
  ['reddit.com', /^\/r\/([^/?]+)/, '/r/$1/.rss'],
  ['reddit.com', /^\/u(?:ser)?\/([^/?]+)/, '/user/$1/.rss'],
  ['reddit.com', /^\/$/, '/.rss'],
  ['news.ycombinator.com', ANY, '/rss'],
  ['lobste.rs', /^\/t\/([^/?.]+)/, '/t/$1.rss'],
  ['lobste.rs', ANY, '/rss'],
  ['stackoverflow.com', /^\/questions\/tagged\/([^/?]+)/, '/feeds/tag/$1'],
  ['stackoverflow.com', /^\/questions\/(\d+)/, '/feeds/question/$1'],
  ['*.stackexchange.com', /^\/questions\/tagged\/([^/?]+)/, '/feeds/tag/$1'],
  ['*.stackexchange.com', /^\/questions\/(\d+)/, '/feeds/question/$1'],
  ['*.stackexchange.com', ANY, '/feeds'],
  ['bsky.app', /^\/profile\/([^/?]+)/, '/profile/$1/rss'],

  // Blogs and newsletters
  ['medium.com', /^\/tag\/([^/?]+)/, '/feed/tag/$1'],
  ['medium.com', /^\/(?!m\/|me\/|about|search)(@?[^/?]+)/, '/feed/$1'],
  ['*.medium.com', ANY, '/feed'],
  ['substack.com', /^\/@([\w-]+)/, 'https://$1.substack.com/feed'],
  ['*.substack.com', ANY, '/feed'],
  ['*.beehiiv.com', ANY, '/feed'],
  ['buttondown.com', ONE, '/$1/rss'],
  ['buttondown.email', ONE, '/$1/rss'],
  ['*.ghost.io', /^(\/(?:tag|author)\/[^/?]+)/, '$1/rss/'],
  ['*.ghost.io', ANY, '/rss/'],
  ['*.wordpress.com', /^(\/(?:tag|category|author)\/[^/?]+)/, '$1/feed/'],
  ['*.wordpress.com', ANY, '/feed/'],
  ['*.blogspot.*', /^\/search\/label\/([^/?]+)/, '/feeds/posts/default/-/$1'],
  ['*.blogspot.*', ANY, '/feeds/posts/default'],
  ['tumblr.com', /^\/(?:blog\/)?([\w-]+)\/?(?:\?|$)/, 'https://$1.tumblr.com/rss'],
  ['*.tumblr.com', /^(\/tagged\/[^/?]+)/, '$1/rss'],
  ['*.tumblr.com', ANY, '/rss'],
  ['*.livejournal.com', ANY, '/data/rss'],
  ['*.dreamwidth.org', ANY, '/data/rss'],
  ['*.bearblog.dev', ANY, '/feed/'],
  ['*.hashnode.dev', ANY, '/rss.xml'],
  ['*.micro.blog', ANY, '/feed.xml'],

  // Science
  ['arxiv.org', /^\/list\/([^/?]+)/, 'https://rss.arxiv.org/rss/$1'],

  // Mastodon and compatible servers: any host, recognized by the path
  ['*', /^\/(@[\w.-]+)\/?(?:\?|$)/, '/$1.rss', '/$1.atom'],
  ['*', /^\/users\/([\w.-]+)\/?(?:\?|$)/, '/users/$1.atom'],
]

function isHost(hostname: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (pattern.endsWith('.*')) return hostname.includes(pattern.slice(1, -1))
  if (pattern.startsWith('*')) return hostname.endsWith(pattern.slice(1)) && hostname !== `www${pattern.slice(1)}`
  return hostname.replace(/^(?:www|m|old|new)\./, '') === pattern
}
