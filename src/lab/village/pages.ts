/** Writes pages: home pages, articles, a login page and a consent page. */
import type { Instant } from '../../model/index.ts'
import { type Post, titleAt } from './history.ts'
import { escaped, paragraphsInHtml } from './markup.ts'
import type { TownLanguage } from './spec.ts'
import { lexicons } from './story-generator.ts'

export interface PageSite {
  title: string
  language: TownLanguage
  /** With a trailing slash. */
  home: string
}

export interface Announcement {
  how: 'link' | 'anchor' | 'header'
  url: string
  type: string
  title: string
}

export function homePage(site: PageSite, posts: readonly Post[], feeds: readonly Announcement[], at: Instant): string {
  const announced = (how: Announcement['how'], render: (feed: Announcement) => string) =>
    feeds
      .filter((feed) => feed.how === how)
      .map(render)
      .join('\n')
  const tags = announced(
    'link',
    ({ url, type, title }) => `<link rel="alternate" type="${type}" title="${escaped(title)}" href="${escaped(url)}">`,
  )
  const anchors = announced(
    'anchor',
    ({ url, title }) => `<p><a href="${escaped(url)}">${escaped(title)} (RSS)</a></p>`,
  )
  const items = posts.map((post) => `<li><a href="${escaped(post.path)}">${escaped(titleAt(post, at))}</a></li>`)
  return page(site, {
    title: site.title,
    head: tags,
    body: `<h1>${escaped(site.title)}</h1>
<h2>${lexicons[site.language].page.newest}</h2>
<ul>
${items.join('\n')}
</ul>
${anchors}`,
  })
}

export interface PageOptions {
  /** Robots directives. */
  asks: 'noindex' | 'noarchive' | undefined
  /** Path of its canonical URL. */
  canonical: string
  /** Path of its picture. */
  picture: string | undefined
}

export function articlePage(
  site: PageSite,
  post: Post,
  at: Instant,
  { asks, canonical, picture }: PageOptions,
): string {
  const published = new Date(post.at).toISOString()
  const title = titleAt(post, at)
  return page(site, {
    title: `${title} – ${site.title}`,
    head: `<link rel="canonical" href="${escaped(site.home + canonical.slice(1))}">
<meta property="article:published_time" content="${published}">
<meta property="og:title" content="${escaped(title)}">
<meta name="author" content="${escaped(post.author)}">${picture ? `\n<meta property="og:image" content="${escaped(new URL(picture, site.home).href)}">` : ''}${asks ? `\n<meta name="robots" content="${asks}">` : ''}`,
    body: `<article>
<h1>${escaped(title)}</h1>
<p class="byline">${lexicons[site.language].page.by} ${escaped(post.author)}, <time datetime="${published}">${published.slice(0, 10)}</time></p>
${picture ? `<figure><img src="${escaped(picture)}" alt=""></figure>\n` : ''}${paragraphsInHtml(post.paragraphs)}
</article>`,
  })
}

export function loginPage(site: PageSite): string {
  const phrases = lexicons[site.language].page
  return page(site, {
    title: phrases.login,
    head: '<meta name="robots" content="noindex">',
    body: `<h1>${phrases.login}</h1>
<form method="post" action="/login"><input name="user"><input name="password" type="password"><button>OK</button></form>`,
  })
}

/** Served instead of every page. */
export function consentPage(site: PageSite): string {
  return page(site, {
    title: site.title,
    head: '',
    body: `<article><h1>Before you continue</h1>
<p>We and our 842 partners store and read information on your device, such as cookies, to measure what is read and to show
advertisements. You may accept all of it, reject what is not necessary, or choose for what purposes it is used.</p>
<p>Your choice counts for this site alone and can be changed at any time at the foot of every page.</p></article>`,
  })
}

export function missingPage(site: PageSite): string {
  const { missing } = lexicons[site.language].page
  return page(site, { title: missing, head: '', body: `<h1>${missing}</h1>` })
}

function page(site: PageSite, { title, head, body }: { title: string; head: string; body: string }): string {
  return `<!doctype html>
<html lang="${site.language}">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
${head}
</head>
<body>
<header><nav><a href="/">${escaped(site.title)}</a></nav></header>
<main>
${body}
</main>
<footer><p>${escaped(lexicons[site.language].page.imprint)}</p></footer>
</body>
</html>
`
}
