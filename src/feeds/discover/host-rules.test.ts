/** The hosts are real, since the rules are about them; the names on them are invented. */
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { hostRuleFeeds } from './host-rules.ts'

describe('hostRuleFeeds', () => {
  it.each<[string, ...string[]]>([
    [
      'https://www.youtube.com/channel/UCinvented_-1/videos',
      'https://www.youtube.com/feeds/videos.xml?channel_id=UCinvented_-1',
    ],
    ['https://m.youtube.com/playlist?list=PLinvented', 'https://m.youtube.com/feeds/videos.xml?playlist_id=PLinvented'],
    [
      'https://www.youtube.com/watch?v=1&list=PLinvented',
      'https://www.youtube.com/feeds/videos.xml?playlist_id=PLinvented',
    ],
    ['https://www.youtube.com/user/anna', 'https://www.youtube.com/feeds/videos.xml?user=anna'],
    ['https://www.youtube.com/@anna'],
    ['https://vimeo.com/anna', 'https://vimeo.com/anna/videos/rss'],
    ['https://vimeo.com/channels/anna', 'https://vimeo.com/channels/anna/videos/rss'],
    ['https://vimeo.com/12345'],
    [
      'https://github.com/anna/tool',
      'https://github.com/anna/tool/releases.atom',
      'https://github.com/anna/tool/tags.atom',
      'https://github.com/anna/tool/commits.atom',
    ],
    ['https://github.com/anna/tool/tree/main', 'https://github.com/anna/tool/commits/main.atom'],
    ['https://github.com/anna/tool/commits/fix/this', 'https://github.com/anna/tool/commits/fix/this.atom'],
    ['https://github.com/anna', 'https://github.com/anna.atom'],
    ['https://github.com/topics/crawler'],
    ['https://gitlab.com/anna', 'https://gitlab.com/anna.atom'],
    [
      'https://gitlab.com/group/sub/tool/-/issues',
      'https://gitlab.com/group/sub/tool/-/tags?format=atom',
      'https://gitlab.com/group/sub/tool.atom',
    ],
    [
      'https://codeberg.org/anna/tool',
      'https://codeberg.org/anna/tool/releases.rss',
      'https://codeberg.org/anna/tool.rss',
    ],
    ['https://www.reddit.com/r/invented/', 'https://www.reddit.com/r/invented/.rss'],
    ['https://old.reddit.com/r/invented/comments/abc/title/', 'https://old.reddit.com/r/invented/comments/abc/.rss'],
    ['https://www.reddit.com/u/anna', 'https://www.reddit.com/user/anna/.rss'],
    ['https://news.ycombinator.com/', 'https://news.ycombinator.com/rss'],
    ['https://lobste.rs/t/web', 'https://lobste.rs/t/web.rss'],
    ['https://lobste.rs/', 'https://lobste.rs/rss'],
    ['https://stackoverflow.com/questions/tagged/rss-x', 'https://stackoverflow.com/feeds/tag/rss-x'],
    ['https://cooking.stackexchange.com/questions/123/how', 'https://cooking.stackexchange.com/feeds/question/123'],
    ['https://bsky.app/profile/anna.example', 'https://bsky.app/profile/anna.example/rss'],
    ['https://medium.com/@anna', 'https://medium.com/feed/@anna'],
    ['https://medium.com/invented-paper/story-1', 'https://medium.com/feed/invented-paper'],
    ['https://medium.com/tag/rivers', 'https://medium.com/feed/tag/rivers'],
    ['https://anna.medium.com/story', 'https://anna.medium.com/feed'],
    ['https://substack.com/@anna', 'https://anna.substack.com/feed'],
    ['https://anna.substack.com/p/letter', 'https://anna.substack.com/feed'],
    ['https://buttondown.com/anna', 'https://buttondown.com/anna/rss'],
    ['https://anna.ghost.io/tag/x/', 'https://anna.ghost.io/tag/x/rss/'],
    ['https://anna.wordpress.com/2024/05/post/', 'https://anna.wordpress.com/feed/'],
    ['https://anna.wordpress.com/category/cats/', 'https://anna.wordpress.com/category/cats/feed/'],
    ['https://anna.blogspot.co.uk/2024/post.html', 'https://anna.blogspot.co.uk/feeds/posts/default'],
    ['https://anna.blogspot.com/search/label/cats', 'https://anna.blogspot.com/feeds/posts/default/-/cats'],
    ['https://www.tumblr.com/anna', 'https://anna.tumblr.com/rss'],
    ['https://anna.tumblr.com/', 'https://anna.tumblr.com/rss'],
    ['https://arxiv.org/list/cs.IR/recent', 'https://rss.arxiv.org/rss/cs.IR'],
    ['https://social.example/@anna', 'https://social.example/@anna.rss', 'https://social.example/@anna.atom'],
    ['https://social.example/users/anna', 'https://social.example/users/anna.atom'],
  ])('%s', (url, ...feeds) => {
    expect(hostRuleFeeds(address(url))).toEqual(feeds)
  })

  it.each([
    ['a host without a rule', 'https://example.org/blog/'],
    ['a host that only ends like a known one', 'https://notgithub.com/anna/tool'],
    ['a host that only begins like a known one', 'https://github.com.example.org/anna/tool'],
    ['an address of a feed', 'https://github.com/anna/tool/releases.atom'],
    ["an address in a feed's folder", 'https://www.youtube.com/feeds/videos.xml?channel_id=UCx'],
    ['a path that contains another host', 'https://gitlab.com//evil.example/x'],
  ])('has none for %s', (_, url) => {
    expect(hostRuleFeeds(address(url))).toEqual([])
  })
})
