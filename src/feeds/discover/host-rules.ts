/**
 * Known hosts whose feed addresses follow from the page's address, so that no page has to be fetched. The results are candidates:
 * each is fetched and parsed like any other. Hosts without feeds are listed with a sentence for users instead.
 *
 * A rule is a host (`*.` matches a subdomain, `*` alone any host), a pattern for path and query, and the feeds, in which $1 and $2
 * are the pattern's groups. The first match wins.
 */

import { type WebAddress, webAddress } from '../../model/index.ts'
import { NO_FEED_HOSTS } from './no-feed-hosts.ts'

/** Feed addresses of a known host for this address, the main one first; empty if no rule matches or it is a feed already. */
export function hostRuleFeeds(address: WebAddress): WebAddress[] {
  return firstMatch(RULES, address)
}

/**
 * Feed addresses by the form of the path, for software that runs on any host. Other software has paths of the same form, so these are
 * guesses for pages that declare no feed.
 */
export function pathFormFeeds(address: WebAddress): WebAddress[] {
  return firstMatch(PATH_FORMS, address)
}

/** Why an address of a known host has no feed, and what can be done: a sentence without a full stop. Undefined if it may have one. */
export function noFeedReason(address: WebAddress): string | undefined {
  const { hostname, path } = partsOf(address)
  if (isFeedPath(path)) return undefined
  return NO_FEED_HOSTS.find(([host, pattern]) => isHost(hostname, host) && pattern.test(path))?.[2]
}

function firstMatch(rules: readonly Rule[], address: WebAddress): WebAddress[] {
  const { hostname, path } = partsOf(address)
  if (isFeedPath(path)) return []
  for (const [host, pattern, ...feeds] of rules) {
    const match = isHost(hostname, host) ? pattern.exec(path) : null
    if (match === null) continue
    const filled = feeds.map((feed) => feed.replace(/\$([12])/g, (_, group) => match[Number(group)] ?? ''))
    return [...new Set(filled.flatMap((feed) => webAddress(URL.parse(feed, address)?.href) ?? []))]
  }
  return []
}

function partsOf(address: WebAddress): { hostname: string; path: string } {
  const { hostname, pathname, search } = new URL(address)
  return { hostname, path: pathname + search }
}

function isFeedPath(path: string): boolean {
  return IS_FEED.test(path) && !NAMED_LIKE_A_FEED.test(path)
}

type Rule = [host: string, pattern: RegExp, ...feeds: string[]]

const IS_FEED =
  /\.(?:rss|atom|rdf|xml)(?:\?|$)|\/(?:rss|atom|feed)\/?(?:\?|$)|^\/(?:rss|feeds?|data)\/|[?&]format=atom/i
/** Communities and tags about feeds, such as /r/rss. */
const NAMED_LIKE_A_FEED = /^\/(?:r|t|tags?|topics?|questions\/tagged)\/(?:rss|atom|feed)\/?(?:\?|$)/i

const ANY = /^/
const ONE = /^\/([^/?]+)\/?(?:\?|$)/
const TWO = /^\/([^/?]+)\/([^/?]+)/
const OWN_PAGES =
  /^\/(?:about|apps|collections|explore|features|login|marketplace|orgs|search|settings|signup|topics)\b/
const STACK_EXCHANGE = [
  'stackoverflow.com',
  'superuser.com',
  'serverfault.com',
  'askubuntu.com',
  'mathoverflow.net',
  '*.stackexchange.com',
]
const WIKIS = ['wikipedia', 'wiktionary', 'wikivoyage', 'wikinews', 'wikibooks', 'wikiquote', 'wikisource'].map(
  (name) => `*.${name}.org`,
)
const VIDEOS = 'https://www.youtube.com/feeds/videos.xml'

const RULES: Rule[] = [
  // Videos
  ...['youtube.com', 'music.youtube.com'].flatMap((host): Rule[] => [
    [host, /[?&]list=((?:PL|OL|UU|FL)[\w-]+)/, `${VIDEOS}?playlist_id=$1`],
    [host, /^\/channel\/(UC[\w-]+)/, `${VIDEOS}?channel_id=$1`],
    [host, /^\/user\/([\w-]+)/, `${VIDEOS}?user=$1`],
    [host, ANY], // the channel of an @name or a video is only in the page
  ]),
  ['vimeo.com', /^\/(channels|groups)\/([^/?]+)/, '/$1/$2/videos/rss'],
  ['vimeo.com', /^\/([a-z][^/?]*)\/?(?:\?|$)/i, '/$1/videos/rss'],
  ['dailymotion.com', ONE, '/rss/user/$1'],

  // Code
  ['github.com', /^\/orgs\/([^/?]+)\/?(?:\?|$)/, '/$1.atom'],
  ['github.com', OWN_PAGES],
  ['github.com', /^\/([^/?]+\/[^/?]+)\/(?:commits|tree|blob)\/([^?]+?)\/?(?:\?|$)/, '/$1/commits/$2.atom'],
  [
    'github.com',
    /^\/([^/?]+\/[^/?]+)\/(commits|tags|discussions\/categories\/[^/?]+|discussions|wiki)\b/,
    '/$1/$2.atom',
  ],
  ['github.com', TWO, '/$1/$2/releases.atom', '/$1/$2/tags.atom', '/$1/$2/commits.atom'],
  ['github.com', ONE, '/$1.atom'],
  ['gist.github.com', /^\/(?:discover|starred|forked|search)\b/],
  ['gist.github.com', /^\/([^/?]+)/, '/$1.atom'],
  ['gitlab.com', ONE, '/$1.atom'],
  ['*', /^\/([^?]+?)\/-\/(?:tree|commits|blob)\/([^?]+?)\/?(?:\?|$)/, '/$1/-/commits/$2?format=atom'],
  ['*', /^\/([^?]+?)\/-\/(issues|merge_requests)\b/, '/$1/-/$2.atom'],
  ['*', /^\/([^?]+?)\/-\/tags\b/, '/$1/-/tags?format=atom'],
  ['*', /^\/([^?]+?)\/-(?:\/|$)/, '/$1/-/releases.atom', '/$1/-/tags?format=atom', '/$1.atom'],
  ['gitlab.com', /^\/([^/?][^?]*?)\/?(?:\?|$)/, '/$1/-/releases.atom', '/$1/-/tags?format=atom', '/$1.atom'],
  ['*', /^\/([^/?]+\/[^/?]+)\/(?:src|commits)\/branch\/([^?]+?)\/?(?:\?|$)/, '/$1/rss/branch/$2'],
  ...['codeberg.org', 'gitea.com'].flatMap((host): Rule[] => [
    [host, /^\/([^/?]+\/[^/?]+)\/tags\b/, '/$1/tags.rss'],
    [host, TWO, '/$1/$2/releases.rss', '/$1/$2.rss'],
    [host, ONE, '/$1.rss'],
  ]),
  ['git.sr.ht', /^\/(~[^/?]+\/[^/?]+)\/log\b/, '/$1/log/rss.xml'],
  ['git.sr.ht', /^\/(~[^/?]+\/[^/?]+)/, '/$1/refs/rss.xml', '/$1/log/rss.xml'],

  // Packages
  ['pypi.org', /^\/project\/([^/?]+)/, '/rss/project/$1/releases.xml'],
  ['crates.io', /^\/crates\/([^/?]+)/, 'https://static.crates.io/rss/crates/$1.xml'],
  ['packagist.org', /^\/packages\/([^/?]+\/[^/?]+)/, '/feeds/package.$1.rss'],
  ['rubygems.org', /^\/gems\/([^/?]+)/, '/gems/$1/versions.atom'],

  // Discussions
  ['reddit.com', /^(\/r\/[^/?]+\/comments\/[^/?]+)/, '$1/.rss'],
  ['reddit.com', /^\/r\/([^/?]+)\/search\/?\?(?:.*&)?q=([^&]+)/, '/r/$1/search.rss?q=$2&restrict_sr=on&sort=new'],
  ['reddit.com', /^\/search\/?\?(?:.*&)?q=([^&]+)/, '/search.rss?q=$1&sort=new'],
  ['reddit.com', /^\/r\/([^/?]+)\/(new|rising|top|controversial)\/?(?:\?|$)/, '/r/$1/$2/.rss'],
  ['reddit.com', /^\/r\/([^/?]+)/, '/r/$1/.rss'],
  ['reddit.com', /^\/u(?:ser)?\/([^/?]+)\/m\/([^/?]+)/, '/user/$1/m/$2/.rss'],
  ['reddit.com', /^\/u(?:ser)?\/([^/?]+)/, '/user/$1/.rss'],
  ['reddit.com', /^\/$/, '/.rss'],
  ['news.ycombinator.com', /^\/(?:news)?(?:\?|$)/, '/rss'],
  ['lobste.rs', /^\/t\/([^/?.]+)/, '/t/$1.rss'],
  ['lobste.rs', ANY, '/rss'],
  ...STACK_EXCHANGE.flatMap((host): Rule[] => [
    [host, /^\/questions\/tagged\/([^/?]+)/, '/feeds/tag/$1'],
    [host, /^\/(?:questions|q)\/(\d+)/, '/feeds/question/$1'],
    [host, /^\/users\/(\d+)/, '/feeds/user/$1'],
    [host, ANY, '/feeds'],
  ]),
  ['bsky.app', /^\/profile\/([^/?]+)/, '/profile/$1/rss'],

  // Blogs and newsletters
  ['medium.com', /^\/tag\/([^/?]+)/, '/feed/tag/$1'],
  ['medium.com', /^\/(?!m\/|me\/|about|search)(@?[^/?]+)/, '/feed/$1'],
  ['*.medium.com', ANY, '/feed'],
  ['substack.com', /^\/@([\w-]+)/, 'https://$1.substack.com/feed'],
  ['open.substack.com', /^\/pub\/([\w-]+)/, 'https://$1.substack.com/feed'],
  ['*.substack.com', ANY, '/feed'],
  ['*.beehiiv.com', ANY, '/feed'],
  ['buttondown.com', ONE, '/$1/rss'],
  ['buttondown.email', ONE, '/$1/rss'],
  ['dev.to', /^\/t\/([^/?]+)/, '/feed/tag/$1'],
  ['dev.to', /^\/(?:about|contact|enter|faq|latest|new|pod|privacy|search|settings|tags|terms|top|videos)\b/],
  ['dev.to', /^\/([^/?]+)/, '/feed/$1'],
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
  ['*.mirror.xyz', ANY, '/feed/atom'],
  ['mirror.xyz', ONE, '/$1/feed/atom'],

  // Games, films, books, pictures, projects
  ['store.steampowered.com', /^\/(?:app|news\/app)\/(\d+)/, '/feeds/news/app/$1/'],
  ['steamcommunity.com', /^\/groups\/([^/?]+)/, '/groups/$1/rss/'],
  [
    'letterboxd.com',
    /^\/(?:about|activity|apps|create-account|crew|films?|journal|lists?|members|pro|search|settings|sign-in)\b/,
  ],
  ['letterboxd.com', /^\/(\w+)(?:[/?]|$)/, '/$1/rss/'],
  ['goodreads.com', /^\/user\/show\/(\d+)/, '/user/updates_rss/$1', '/review/list_rss/$1'],
  ['goodreads.com', /^\/review\/list\/(\d+)[^?]*\?(?:.*&)?shelf=([^&]+)/, '/review/list_rss/$1?shelf=$2'],
  ['goodreads.com', /^\/review\/list\/(\d+)/, '/review/list_rss/$1'],
  ['flickr.com', /^\/photos\/tags\/([^/?]+)/, '/services/feeds/photos_public.gne?tags=$1'],
  ['flickr.com', /^\/(?:photos|people)\/(\d+@N\d+)/, '/services/feeds/photos_public.gne?id=$1'],
  ['flickr.com', /^\/groups\/(\d+@N\d+)/, '/services/feeds/groups_pool.gne?id=$1'],
  ['kickstarter.com', /^\/projects\/([^/?]+\/[^/?]+)/, '/projects/$1/posts.atom'],

  // Science and encyclopedias
  ['arxiv.org', /^\/list\/([^/?]+)/, 'https://rss.arxiv.org/rss/$1'],
  ['arxiv.org', /^\/a\/([\w.-]+)\/?$/, '/a/$1.atom'],
  [
    'arxiv.org',
    /^\/search\/?(?:\w+\/?)?\?(?:.*&)?query=([^&]+)/,
    'https://export.arxiv.org/api/query?search_query=all:$1&sortBy=submittedDate&sortOrder=descending&max_results=50',
  ],
  ...WIKIS.flatMap((host): Rule[] => [
    [host, /^\/wiki\/Special:RecentChanges/, '/w/index.php?title=Special:RecentChanges&feed=atom'],
    [host, /^\/wiki\/Special:Contributions\/([^?]+)/, '/w/api.php?action=feedcontributions&user=$1&feedformat=atom'],
    [host, /^\/wiki\/([^?]+)/, '/w/index.php?title=$1&action=history&feed=atom'],
  ]),
  [
    '*',
    /^(\/[^?]*\bindex\.php)\?(?:.*&)?title=([^&]+)&(?:.*&)?action=history\b/,
    '$1?title=$2&action=history&feed=atom',
  ],

  // Mastodon and compatible servers: any host, recognized by the path
  ['*', /^\/(@[\w.-]+)\/?(?:\?|$)/, '/$1.rss', '/$1.atom'],
  ['*', /^\/users\/([\w.-]+)\/?(?:\?|$)/, '/users/$1.atom', '/users/$1/feed.atom'],
]

const PATH_FORMS: Rule[] = [
  // Discourse: a category has a number, a topic often, a tag none
  ['*', /^(\/c\/(?:[^/?]+\/){1,2}\d+)(?:\/l\/\w+)?\/?(?:\?|$)/, '$1.rss'],
  ['*', /^(\/t\/[^/?]+\/\d+)/, '$1.rss'],
  ['*', /^\/tag\/([^/?]+)\/?(?:\?|$)/, '/tag/$1.rss'],
  // Lemmy and PeerTube have channels of the same form
  [
    '*',
    /^\/c\/([\w.@-]+)(?:\/videos)?\/?(?:\?|$)/,
    '/feeds/c/$1.xml?sort=New',
    '/feeds/videos.xml?videoChannelName=$1',
  ],
  ['*', /^\/u\/([\w.@-]+)\/?(?:\?|$)/, '/feeds/u/$1.xml?sort=New'],
  ['*', /^\/video-channels\/([\w.@-]+)/, '/feeds/videos.xml?videoChannelName=$1'],
  ['*', /^\/(?:a|accounts)\/([\w.@-]+)/, '/feeds/videos.xml?accountName=$1'],
  // Mastodon
  ['*', /^\/tags\/([^/?]+)\/?(?:\?|$)/, '/tags/$1.rss'],
]

function isHost(hostname: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (pattern.endsWith('.*')) return hostname.includes(pattern.slice(1, -1))
  if (pattern.startsWith('*')) return hostname.endsWith(pattern.slice(1)) && hostname !== `www${pattern.slice(1)}`
  return hostname.replace(/^(?:www|m|mobile|amp|old|new|np)\./, '') === pattern
}
