/**
 * Small feeds as the web has them, 5 to 20 KB with all the namespaces that their generators declare: a blog, a magazine, a podcast, a
 * forge, a video channel, a forum, a microblog, a news site, an old RDF feed, a JSON Feed. Invented; no two are alike, and the same seed
 * gives the same feeds.
 */
import { createProse, type Prose } from '../generated-prose.ts'

export interface SmallFeed {
  kind: string
  bytes: Buffer
}

/** That many of each kind, alternating. */
export function makeSmallFeeds(ofEachKind: number, firstSeed = 1): SmallFeed[] {
  return Array.from({ length: ofEachKind * KINDS.length }, (_, index) => {
    const [kind, make] = KINDS[index % KINDS.length]!
    return { kind, bytes: Buffer.from(make(createSite(firstSeed + index))) }
  })
}

interface Site {
  prose: Prose
  host: string
  /** HTML with non-ASCII characters, as editors write it. */
  html(paragraphs: number): string
  title(): string
  /** An integer below the limit. */
  number(limit: number): number
  /** RFC 822 and ISO 8601, a few hours before the last one. */
  rfcDate(): string
  isoDate(): string
}

const KINDS: [string, (site: Site) => string][] = [
  ['blog', blog],
  ['magazine', magazine],
  ['podcast', podcast],
  ['forge', forge],
  ['videos', videos],
  ['forum', forum],
  ['microblog', microblog],
  ['news', news],
  ['RDF', rdf],
  ['JSON Feed', jsonFeed],
]

const HOUR = 3_600_000

function createSite(seed: number): Site {
  const prose = createProse(seed)
  const number = (limit: number) => Math.floor(prose.chance() * limit)
  const host = `https://www.${prose.words(1).toLowerCase()}-${seed}.example`
  let time = Date.UTC(2026, number(10), 1 + number(28))
  const earlier = () => {
    time -= HOUR * (1 + number(40))
    return new Date(time)
  }
  const paragraph = () =>
    `<p>${prose.words(20 + number(30))} \u2013 <a href="${host}/${prose.words(1).toLowerCase()}/?p=${number(9999)}&amp;m=1">` +
    `${prose.words(2)}</a>, ${prose.words(12)}\u2019s <strong>${prose.words(2)}</strong> ${prose.words(18)}.</p>\n`
  return {
    prose,
    host,
    number,
    html: (paragraphs) => Array.from({ length: paragraphs }, paragraph).join(''),
    title: () => `${prose.words(4 + number(5))}\u2019s ${prose.words(2)}`,
    rfcDate: () => earlier().toUTCString().replace('GMT', '+0000'),
    isoDate: () => earlier().toISOString().replace('.000Z', '+00:00'),
  }
}

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('')
}

function escaped(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/** With full articles. */
function blog(site: Site): string {
  return wordPress(site, 3, (paragraphs) => {
    const html = site.html(paragraphs)
    return `\t\t<description><![CDATA[${html.slice(0, 300)} [&#8230;]]]></description>
\t\t\t\t\t\t\t\t\t\t<content:encoded><![CDATA[${html}]]></content:encoded>
`
  })
}

/** With their first sentences. */
function magazine(site: Site): string {
  return wordPress(site, 8, () => `\t\t<description><![CDATA[${site.html(1)}]]></description>\n`)
}

function wordPress(site: Site, items: number, words: (paragraphs: number) => string): string {
  const { host, prose } = site
  const item = () => {
    const post = 1000 + site.number(90_000)
    const address = `${host}/2026/${prose.words(3).toLowerCase().replaceAll(' ', '-')}/`
    return `\t<item>
\t\t<title>${site.title()} &#8211; ${prose.words(2)}</title>
\t\t<link>${address}</link>
\t\t\t\t\t<comments>${address}#respond</comments>
\t\t
\t\t<dc:creator><![CDATA[${prose.words(2)}]]></dc:creator>
\t\t<pubDate>${site.rfcDate()}</pubDate>
${times(1 + site.number(4), () => `\t\t\t\t<category><![CDATA[${prose.words(1)}]]></category>\n`)}\
\t\t<guid isPermaLink="false">${host}/?p=${post}</guid>

${words(2 + site.number(4))}
\t\t\t\t\t<wfw:commentRss>${address}feed/</wfw:commentRss>
\t\t\t<slash:comments>${site.number(20)}</slash:comments>
\t\t
\t\t\t</item>
`
  }
  return `${DECLARATION}<rss version="2.0"
\txmlns:content="http://purl.org/rss/1.0/modules/content/"
\txmlns:wfw="http://wellformedweb.org/CommentAPI/"
\txmlns:dc="http://purl.org/dc/elements/1.1/"
\txmlns:atom="http://www.w3.org/2005/Atom"
\txmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
\txmlns:slash="http://purl.org/rss/1.0/modules/slash/"
\t>

<channel>
\t<title>${site.title()}</title>
\t<atom:link href="${host}/feed/" rel="self" type="application/rss+xml" />
\t<link>${host}/</link>
\t<description>${prose.words(8)}</description>
\t<lastBuildDate>${site.rfcDate()}</lastBuildDate>
\t<language>en-GB</language>
\t<sy:updatePeriod>
\thourly\t</sy:updatePeriod>
\t<sy:updateFrequency>
\t1\t</sy:updateFrequency>
\t<generator>https://wordpress.org/?v=6.7.1</generator>

<image>
\t<url>${host}/icon-32x32.png</url>
\t<title>${prose.words(3)}</title>
\t<link>${host}/</link>
\t<width>32</width>
\t<height>32</height>
</image>
${times(items, item)}</channel>
</rss>
`
}

function podcast(site: Site): string {
  const { host, prose } = site
  const art = `${host}/art/${site.number(9999)}.jpg`
  const item = (index: number) => {
    const file = `${host}/audio/${site.number(1e6)}.mp3`
    const notes = site.html(2)
    return `    <item>
      <title>${site.title()}</title>
      <itunes:title>${prose.words(6)}</itunes:title>
      <link>${host}/episodes/${index}</link>
      <guid isPermaLink="false">${host.slice(12)}-${site.number(1e9)}</guid>
      <pubDate>${site.rfcDate()}</pubDate>
      <description><![CDATA[${notes}]]></description>
      <content:encoded><![CDATA[${notes}]]></content:encoded>
      <itunes:summary><![CDATA[${prose.words(30)}]]></itunes:summary>
      <itunes:author>${prose.words(2)}</itunes:author>
      <itunes:duration>00:${10 + site.number(49)}:${10 + site.number(49)}</itunes:duration>
      <itunes:explicit>false</itunes:explicit>
      <itunes:episodeType>full</itunes:episodeType>
      <itunes:season>2</itunes:season>
      <itunes:episode>${index + 1}</itunes:episode>
      <itunes:image href="${art}"/>
      <googleplay:description>${prose.words(10)}</googleplay:description>
      <media:content url="${file}" type="audio/mpeg" medium="audio"><media:title>${prose.words(3)}</media:title></media:content>
      <podcast:transcript url="${host}/t/${index}.srt" type="application/srt"/>
      <podcast:chapters url="${host}/c/${index}.json" type="application/json+chapters"/>
      <podcast:person role="host" href="${host}/about">${prose.words(2)}</podcast:person>
      <enclosure url="${file}" length="${10_000_000 + site.number(1e7)}" type="audio/mpeg"/>
    </item>
`
  }
  return `${DECLARATION}
<?xml-stylesheet href="${host}/feed.xsl" type="text/xsl"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:googleplay="http://www.google.com/schemas/play-podcasts/1.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"
  xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:psc="http://podlove.org/simple-chapters">
  <channel>
    <atom:link href="${host}/podcast.xml" rel="self" title="MP3" type="application/rss+xml"/>
    <atom:link href="https://hub.example/" rel="hub" xmlns="http://www.w3.org/2005/Atom"/>
    <title>${site.title()}</title>
    <link>${host}</link>
    <language>en</language>
    <copyright>\u00a9 2026 ${prose.words(2)}</copyright>
    <description><![CDATA[${site.html(1)}]]></description>
    <image><url>${art}</url><title>${prose.words(2)}</title><link>${host}</link></image>
    <itunes:image href="${art}"/>
    <itunes:category text="Society &amp; Culture"><itunes:category text="Documentary"/></itunes:category>
    <itunes:author>${prose.words(2)}</itunes:author>
    <itunes:owner><itunes:name>${prose.words(2)}</itunes:name><itunes:email>pod@site.example</itunes:email></itunes:owner>
    <itunes:explicit>false</itunes:explicit>
    <itunes:type>episodic</itunes:type>
    <podcast:locked owner="pod@site.example">yes</podcast:locked>
    <podcast:guid>${site.number(1e9)}-5f8a</podcast:guid>
${times(3, item)}  </channel>
</rss>
`
}

/** Releases with notes. */
function forge(site: Site): string {
  const { host, prose } = site
  const entry = (index: number) => `  <entry>
    <id>tag:forge.example,2008:Repository/${site.number(1e8)}/v4.${index}.0</id>
    <updated>${site.isoDate()}</updated>
    <link rel="alternate" type="text/html" href="${host}/releases/tag/v4.${index}.0"/>
    <title>v4.${index}.0</title>
    <content type="html">${escaped(`<h2>${prose.words(3)}</h2>\n<ul>\n${times(4, () => `<li>${prose.words(9)} by <a class="user-mention notranslate" data-hovercard-type="user" href="${host}/u/${site.number(999)}">@${prose.words(1)}</a> in <a class="issue-link js-issue-link" data-error-text="Failed to load title" data-id="${site.number(1e9)}" href="${host}/pull/${site.number(9999)}">#${site.number(9999)}</a></li>\n`)}</ul>`)}</content>
    <author>
      <name>${prose.words(1)}</name>
    </author>
    <media:thumbnail height="30" width="30" url="${host}/u/${site.number(1e6)}?s=60&amp;v=4"/>
  </entry>
`
  return `${DECLARATION}
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en-US">
  <id>tag:forge.example,2008:${host}/releases</id>
  <link type="text/html" rel="alternate" href="${host}/releases"/>
  <link type="application/atom+xml" rel="self" href="${host}/releases.atom"/>
  <title>Release notes from ${prose.words(1)}</title>
  <updated>${site.isoDate()}</updated>
${times(5, entry)}</feed>
`
}

function videos(site: Site): string {
  const { host, prose } = site
  const entry = () => {
    const id = site.number(1e9).toString(36)
    const title = site.title()
    return ` <entry>
  <id>yt:video:${id}</id>
  <yt:videoId>${id}</yt:videoId>
  <yt:channelId>UC${id}</yt:channelId>
  <title>${title}</title>
  <link rel="alternate" href="${host}/watch?v=${id}"/>
  <author>
   <name>${prose.words(2)}</name>
   <uri>${host}/channel/UC${id}</uri>
  </author>
  <published>${site.isoDate()}</published>
  <updated>${site.isoDate()}</updated>
  <media:group>
   <media:title>${title}</media:title>
   <media:content url="${host}/v/${id}?version=3" type="application/x-shockwave-flash" width="640" height="390"/>
   <media:thumbnail url="${host}/vi/${id}/hqdefault.jpg" width="480" height="360"/>
   <media:description>${times(3, () => `${prose.words(20)}\n\n${host}/${prose.words(1)}?a=1&amp;b=2\n`)}</media:description>
   <media:community>
    <media:starRating count="${site.number(9999)}" average="5.00" min="1" max="5"/>
    <media:statistics views="${site.number(1e6)}"/>
   </media:community>
  </media:group>
 </entry>
`
  }
  return `${DECLARATION}
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="${host}/feeds/videos.xml?channel_id=UC1"/>
 <id>yt:channel:1</id>
 <yt:channelId>1</yt:channelId>
 <title>${site.title()}</title>
 <link rel="alternate" href="${host}/channel/UC1"/>
 <author>
  <name>${prose.words(2)}</name>
  <uri>${host}/channel/UC1</uri>
 </author>
 <published>${site.isoDate()}</published>
${times(8, entry)}</feed>
`
}

function forum(site: Site): string {
  const { host, prose } = site
  const entry = () => {
    const id = site.number(1e9).toString(36)
    const page = `${host}/comments/${id}/${prose.words(3).toLowerCase().replaceAll(' ', '_')}/`
    const html = `<!-- SC_OFF --><div class="md"><p>${prose.words(30)}&#39;s ${prose.words(10)}</p>\n</div><!-- SC_ON --> &#32; submitted by &#32; <a href="${host}/user/${id}"> /u/${prose.words(1)} </a> <br/> <span><a href="${page}">[link]</a></span> &#32; <span><a href="${page}">[comments]</a></span>`
    return `<entry><author><name>/u/${prose.words(1)}</name><uri>${host}/user/${id}</uri></author><category term="${prose.words(1)}" label="r/${prose.words(1)}"/><content type="html">${escaped(html)}</content><id>t3_${id}</id><media:thumbnail url="${host}/${id}.jpg" /><link href="${page}" /><updated>${site.isoDate()}</updated><published>${site.isoDate()}</published><title>${site.title()}</title></entry>`
  }
  return `${DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><category term="x" label="r/x"/><updated>${site.isoDate()}</updated><icon>${host}/icon.png/</icon><id>${host}/.rss</id><link rel="self" href="${host}/.rss" type="application/atom+xml" /><link rel="alternate" href="${host}/" type="text/html" /><subtitle>${prose.words(9)}</subtitle><title>${site.title()}</title>${times(8, entry)}</feed>`
}

/** Items without titles. */
function microblog(site: Site): string {
  const { host, prose } = site
  const item = () => {
    const id = site.number(1e9)
    return `    <item>
      <guid isPermaLink="true">${host}/@ada/${id}</guid>
      <link>${host}/@ada/${id}</link>
      <pubDate>${site.rfcDate()}</pubDate>
      <description>${escaped(`<p>${prose.words(30)} \u2014 <a href="${host}/tags/x" class="mention hashtag" rel="tag">#<span>${prose.words(1)}</span></a> 😀</p>`)}</description>
      <media:content url="${host}/media/${id}.png" type="image/png" fileSize="${site.number(1e6)}" medium="image">
        <media:rating scheme="urn:simple">nonadult</media:rating>
        <media:description type="plain">${prose.words(12)}</media:description>
      </media:content>
      <category>${prose.words(1)}</category>
    </item>
`
  }
  return `${DECLARATION}
<rss version="2.0" xmlns:webfeeds="http://webfeeds.org/rss/1.0" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>${prose.words(2)}</title>
    <description>Public posts from @ada</description>
    <link>${host}/@ada</link>
    <image>
      <url>${host}/avatar.jpg</url>
      <title>${prose.words(2)}</title>
      <link>${host}/@ada</link>
    </image>
    <lastBuildDate>${site.rfcDate()}</lastBuildDate>
    <webfeeds:icon>${host}/avatar.jpg</webfeeds:icon>
    <generator>Mastodon v4.3.2</generator>
${times(12, item)}  </channel>
</rss>
`
}

/** Titles with pictures. */
function news(site: Site): string {
  const { host, prose } = site
  const item = () => {
    const id = site.number(1e9)
    return `<item><title><![CDATA[${site.title()}]]></title><description><![CDATA[${prose.words(22)}.]]></description><link>${host}/news/articles/${id}?at_medium=RSS&amp;at_campaign=rss</link><guid isPermaLink="false">${host}/news/articles/${id}#0</guid><pubDate>${site.rfcDate()}</pubDate><media:thumbnail width="240" height="135" url="${host}/news/240/${id}.jpg"/><media:credit role="author">${prose.words(2)}</media:credit><dc:date>${site.isoDate()}</dc:date><category domain="${host}/tag">${prose.words(1)}</category></item>`
  }
  return `${DECLARATION}<?xml-stylesheet title="XSL_formatting" type="text/xsl" href="/shared/nolsol.xsl"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title><![CDATA[${site.title()}]]></title><description><![CDATA[${prose.words(9)}]]></description><link>${host}/news</link><image><url>${host}/logo.gif</url><title>${prose.words(2)}</title><link>${host}/news</link></image><generator>RSS for Node</generator><lastBuildDate>${site.rfcDate()}</lastBuildDate><atom:link href="${host}/news/rss.xml" rel="self" type="application/rss+xml"/><copyright><![CDATA[\u00a9 ${prose.words(5)}]]></copyright><language><![CDATA[en-gb]]></language><ttl>15</ttl>${times(12, item)}</channel></rss>`
}

function rdf(site: Site): string {
  const { host, prose } = site
  const pages = Array.from({ length: 8 }, (_, index) => `${host}/story/26/${index}/${site.number(1e6)}`)
  const item = (page: string) => `<item rdf:about="${page}">
<title>${site.title()}</title>
<link>${page}?utm_source=rss1.0mainlinkanon&amp;utm_medium=feed</link>
<description>${escaped(site.html(1))}</description>
<dc:creator>${prose.words(1)}</dc:creator>
<dc:date>${site.isoDate()}</dc:date>
<dc:subject>${prose.words(1)}</dc:subject>
<slash:department>${prose.words(4).replaceAll(' ', '-')}</slash:department>
<slash:section>news</slash:section>
<slash:comments>${site.number(200)}</slash:comments>
<slash:hit_parade>1,1,0,0,0,0,0</slash:hit_parade>
</item>
`
  return `${DECLARATION}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:syn="http://purl.org/rss/1.0/modules/syndication/" xmlns:taxo="http://purl.org/rss/1.0/modules/taxonomy/" xmlns:admin="http://webns.net/mvcb/">
<channel rdf:about="${host}/">
<title>${site.title()}</title>
<link>${host}/</link>
<description>${prose.words(5)}</description>
<dc:language>en-us</dc:language>
<dc:date>${site.isoDate()}</dc:date>
<syn:updateBase>1970-01-01T00:00+00:00</syn:updateBase>
<syn:updateFrequency>1</syn:updateFrequency>
<syn:updatePeriod>hourly</syn:updatePeriod>
<items>
 <rdf:Seq>
${times(pages.length, (index) => `  <rdf:li rdf:resource="${pages[index]}" />\n`)} </rdf:Seq>
</items>
<image rdf:resource="${host}/topics.png" />
</channel>
<image rdf:about="${host}/topics.png">
<title>${prose.words(1)}</title>
<url>${host}/topics.png</url>
<link>${host}/</link>
</image>
${pages.map(item).join('')}</rdf:RDF>
`
}

function jsonFeed(site: Site): string {
  const { host, prose } = site
  const item = (_: unknown, index: number) => ({
    id: `${host}/${site.number(1e6)}`,
    url: `${host}/2026/${index}`,
    title: site.title(),
    content_html: site.html(2 + site.number(3)),
    summary: prose.words(15),
    date_published: site.isoDate(),
    authors: [{ name: prose.words(2), url: `${host}/about` }],
    tags: [prose.words(1), prose.words(1)],
  })
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: site.title(),
    home_page_url: host,
    feed_url: `${host}/feed.json`,
    description: prose.words(8),
    language: 'en',
    items: Array.from({ length: 6 }, item),
  })
}
