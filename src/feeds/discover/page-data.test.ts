import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { pageDataFeed } from './page-data.ts'

const CHANNEL = 'UCinvented0123456789abcd'
const OTHER = 'UCother00123456789abcdef'
const FEED = `https://www.youtube.com/feeds/videos.xml?channel_id=${CHANNEL}`

it.each([
  ['https://www.youtube.com/watch?v=1', `{"channelId":"${OTHER}","externalChannelId":"${CHANNEL}"}`, FEED],
  ['https://www.youtube.com/shorts/1', `<meta itemprop="channelId" content="${CHANNEL}">`, FEED],
  ['https://m.youtube.com/c/tides', `{"externalId":"${CHANNEL}"}`, FEED],
  ['https://www.youtube.com/watch?v=1', `{"channelId":"${CHANNEL}"}`, FEED],
  ['https://www.youtube.com/watch?v=1', '{"channelId":"UCshort"}', undefined],
  [
    'https://soundcloud.com/anna',
    '<meta property="al:ios:url" content="soundcloud://users:42">',
    'https://feeds.soundcloud.com/users/soundcloud:users:42/sounds.rss',
  ],
  ['https://soundcloud.com/anna/tide', '<meta property="al:ios:url" content="soundcloud://sounds:42">', undefined],
  ['https://notyoutube.com/@anna', `{"channelId":"${CHANNEL}"}`, undefined],
])('%s with %s', (url, html, feed) => {
  expect(pageDataFeed(address(url), html)).toBe(feed)
})
