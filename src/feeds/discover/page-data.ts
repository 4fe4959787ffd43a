/** Known hosts whose pages have the id of their feed in their data, but no link to it. */
import { type WebAddress, webAddress } from '../../model/index.ts'

/** The id is the first group of the first pattern that matches. */
type DataRule = [host: RegExp, feed: string, ...ids: RegExp[]]

const RULES: DataRule[] = [
  [
    /(?:^|\.)youtube\.com$/,
    'https://www.youtube.com/feeds/videos.xml?channel_id=$1',
    /"externalChannelId":"(UC[\w-]{22})"/, // of the owner of a video
    /itemprop="(?:channelId|identifier)" content="(UC[\w-]{22})"/,
    /"externalId":"(UC[\w-]{22})"/,
    /"channelId":"(UC[\w-]{22})"/,
  ],
  [
    /(?:^|\.)soundcloud\.com$/,
    'https://feeds.soundcloud.com/users/soundcloud:users:$1/sounds.rss',
    /content="soundcloud:\/\/users:(\d{1,20})"/,
  ],
]

const MAX_SEARCHED_CHARS = 4_000_000

/** The feed that the data of a page leads to. */
export function pageDataFeed(url: WebAddress, html: string): WebAddress | undefined {
  const { hostname } = new URL(url)
  const [, feed, ...patterns] = RULES.find(([host]) => host.test(hostname)) ?? []
  const searched = html.slice(0, MAX_SEARCHED_CHARS)
  for (const pattern of patterns) {
    const id = pattern.exec(searched)?.[1]
    if (id) return webAddress(feed!.replace('$1', id))
  }
  return undefined
}
