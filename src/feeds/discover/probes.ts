/**
 * Likely feed addresses of a page that names none. Publishing systems identify themselves in <meta name="generator"> or by
 * fingerprints, and each has a standard feed path; the form of the page's path comes first, generic paths follow, most common first. The page's folder is tried before the
 * root: a blog in a folder of a larger site has its feed there.
 */
import { type WebAddress, webAddress } from '../../model/index.ts'
import { pathFormFeeds } from './host-rules.ts'
import { extractPageLinks } from './page-links.ts'

/** Together with the page and its links, discovery makes at most fifteen requests. */
const MAX_PROBES = 12

export interface ProbeInput {
  url: WebAddress
  /** The page, if it could be fetched. */
  html?: string
  /** Requests left. */
  limit?: number
}

/** Addresses to try, most likely first. */
export function probeAddresses({ url, html = '', limit = MAX_PROBES }: ProbeInput): WebAddress[] {
  const page = new URL(url)
  const folder = new URL(folderOf(page.pathname), page)
  const paths = systemPaths(html)

  const inFolder = folder.pathname === '/' ? [] : [...paths, ...LIKELY.slice(0, 4)]
  const probes = [
    ...inFolder.map((path) => new URL(path, folder)),
    ...[...paths, ...LIKELY, ...LESS_LIKELY].map((path) => new URL(path, new URL('/', page))),
  ].flatMap(({ href }) => (href === page.href ? [] : (webAddress(href) ?? [])))
  return [...new Set([...pathFormFeeds(url), ...probes])].slice(0, Math.max(0, Math.min(limit, MAX_PROBES)))
}

const LIKELY = ['feed/', 'rss/', 'feed', 'feed.xml', 'rss.xml', 'atom.xml', 'index.xml', 'rss']
const LESS_LIKELY = [
  'feed.json',
  'blog/feed/',
  'index.rdf',
  'feed.atom',
  'blog/index.xml',
  'blog/rss.xml',
  'feeds/posts/default',
  '?feed=rss2',
  'index.atom',
  'feed_rss_created.xml',
]

/** A publishing system: its name in the generator tag, a fingerprint in its pages, and its feed paths. */
type System = [name: RegExp, fingerprint: string | undefined, ...places: string[]]

const SYSTEMS: System[] = [
  [/wordpress|woocommerce|classicpress/i, '/wp-content/', 'feed/', '?feed=rss2'],
  [/\bghost\b/i, '/ghost/api/', 'rss/'],
  [/\bhugo\b/i, undefined, 'index.xml'],
  [/jekyll/i, undefined, 'feed.xml', 'atom.xml'],
  [/hexo/i, undefined, 'atom.xml', 'rss2.xml'],
  [/eleventy|astro/i, undefined, 'feed.xml', 'rss.xml'],
  [/zola/i, undefined, 'atom.xml', 'rss.xml'],
  [/pelican/i, undefined, 'feeds/all.atom.xml', 'feeds/all.rss.xml'],
  [/mkdocs/i, undefined, 'feed_rss_created.xml'],
  [/blogger/i, 'www.blogger.com/static/', 'feeds/posts/default'],
  [/drupal/i, 'data-drupal-', 'rss.xml'],
  [/joomla/i, undefined, '?format=feed&type=rss'],
  [/typo3/i, undefined, 'feed.rss', 'rss.xml'],
  [/squarespace/i, '.squarespace.com/', '?format=rss', 'blog?format=rss'],
  [/wix\.com/i, '.wixstatic.com/', 'blog-feed.xml'],
  [/shopify/i, '/cdn/shop/', 'blogs/*.atom', 'blogs/news.atom'],
  [/hubspot/i, '.hs-scripts.com/', '*/rss.xml', 'blog/rss.xml', 'rss.xml'],
  [/webflow/i, 'data-wf-site', '*/rss.xml', 'blog/rss.xml'],
  [/vbulletin/i, 'vbulletin', 'external?type=rss2', 'external.php?type=RSS2'],
  [/invision/i, 'ipsLayout', 'discover/all.xml/', 'forums/-1-all.xml/'],
  [/xenforo/i, 'data-xf-init', 'forums/-/index.rss'],
  [/phpbb/i, undefined, 'app.php/feed', 'feed.php'],
  [/tumblr/i, 'assets.tumblr.com/', 'rss'],
  [/substack/i, 'substackcdn.com/', 'feed'],
  [/discourse/i, undefined, 'latest.rss'],
  [/mediawiki/i, undefined, 'index.php?title=Special:RecentChanges&feed=atom'],
  [/dokuwiki/i, undefined, 'feed.php'],
  [/micro\.blog/i, undefined, 'feed.xml', 'feed.json'],
  [/shaarli/i, undefined, 'feed/atom?'],
]

function systemPaths(html: string): string[] {
  const { generator = '' } = extractPageLinks(html)
  const system =
    SYSTEMS.find(([name]) => name.test(generator)) ??
    SYSTEMS.find(([, fingerprint]) => fingerprint !== undefined && html.includes(fingerprint))
  if (system === undefined) return []
  const [, , ...patterns] = system
  return patterns.flatMap((path) => (path.includes('*') ? pathsInPage(html, path) : [path]))
}

const MAX_NAMED = 2
const COLLECTION =
  /href\s*=\s*["'](?:https?:\/\/[^"'/]+)?\/(?:blogs\/)?(blog|news|posts|articles|insights|stories|journal|[\w-]+-blog)["'/?]/gi
const SHOP_BLOG = /href\s*=\s*["'](?:https?:\/\/[^"'/]+)?\/blogs\/([\w-]+)["'/?]/gi

/** Expands a path of systems with one feed per collection, by the collections the page links to. */
function pathsInPage(html: string, pattern: string): string[] {
  const names = new Set<string>()
  for (const [, name] of html
    .slice(0, MAX_SEARCHED_CHARS)
    .matchAll(pattern.startsWith('blogs/') ? SHOP_BLOG : COLLECTION)) {
    names.add(name!.toLowerCase())
    if (names.size >= MAX_NAMED) break
  }
  return [...names].map((name) => pattern.replace('*', name))
}

const MAX_SEARCHED_CHARS = 1_000_000

/**
 * The folder of a page. `/blog` without a slash counts as a folder. A year, or a name of three words, is part of a single post's
 * address, below which there are only comments.
 */
function folderOf(path: string): string {
  const segments = path.split('/').slice(1, 9)
  const post = segments.findIndex((segment) => segment === '' || POST.test(segment))
  const last = segments.length > 1 ? segments.length - 1 : 1
  const folder = segments.slice(0, post < 0 ? last : post).join('/')
  return folder === '' ? '/' : `/${folder}/`
}

const POST = /^(?:19|20)\d\d$|-.+-|\./
