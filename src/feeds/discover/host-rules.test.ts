/** The hosts are real, since the rules are about them; the names on them are invented. */
import { describe, expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import { hostRuleFeeds, noFeedReason, pathFormFeeds } from './host-rules.ts'

describe('hostRuleFeeds', () => {
  it.each<[string, ...string[]]>([
    [
      'https://www.youtube.com/channel/UCinvented_-1/videos',
      'https://www.youtube.com/feeds/videos.xml?channel_id=UCinvented_-1',
    ],
    [
      'https://m.youtube.com/playlist?list=PLinvented',
      'https://www.youtube.com/feeds/videos.xml?playlist_id=PLinvented',
    ],
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
      'https://gitlab.com/group/sub/tool',
      'https://gitlab.com/group/sub/tool/-/releases.atom',
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
    [
      'https://social.example/users/anna',
      'https://social.example/users/anna.atom',
      'https://social.example/users/anna/feed.atom',
    ],
    ['https://music.youtube.com/channel/UCinvented', 'https://www.youtube.com/feeds/videos.xml?channel_id=UCinvented'],
    ['https://www.youtube.com/watch?v=1&list=RDinvented'],
    ['https://vimeo.com/groups/anna', 'https://vimeo.com/groups/anna/videos/rss'],
    ['https://github.com/orgs/rivers/', 'https://github.com/rivers.atom'],
    ['https://github.com/anna/tool/tags', 'https://github.com/anna/tool/tags.atom'],
    ['https://github.com/anna/tool/commits', 'https://github.com/anna/tool/commits.atom'],
    ['https://github.com/anna/tool/blob/main/src/a.ts', 'https://github.com/anna/tool/commits/main/src/a.ts.atom'],
    ['https://github.com/anna/tool/discussions/12', 'https://github.com/anna/tool/discussions.atom'],
    [
      'https://github.com/anna/tool/discussions/categories/news',
      'https://github.com/anna/tool/discussions/categories/news.atom',
    ],
    ['https://github.com/anna/tool/wiki/Home', 'https://github.com/anna/tool/wiki.atom'],
    ['https://gist.github.com/anna/0a1b2c', 'https://gist.github.com/anna.atom'],
    ['https://gist.github.com/discover'],
    ['https://gitlab.com/anna/tool/-/issues/4', 'https://gitlab.com/anna/tool/-/issues.atom'],
    ['https://code.example/a/b/-/tree/main/docs', 'https://code.example/a/b/-/commits/main/docs?format=atom'],
    ['https://code.example/a/b/-/tags', 'https://code.example/a/b/-/tags?format=atom'],
    ['https://code.example/a/b/-/merge_requests', 'https://code.example/a/b/-/merge_requests.atom'],
    [
      'https://code.example/a/b/-/wikis/home',
      'https://code.example/a/b/-/releases.atom',
      'https://code.example/a/b/-/tags?format=atom',
      'https://code.example/a/b.atom',
    ],
    ['https://codeberg.org/anna/tool/src/branch/main/docs', 'https://codeberg.org/anna/tool/rss/branch/main/docs'],
    ['https://forge.example/anna/tool/commits/branch/main', 'https://forge.example/anna/tool/rss/branch/main'],
    ['https://codeberg.org/anna/tool/tags', 'https://codeberg.org/anna/tool/tags.rss'],
    ['https://git.sr.ht/~anna/tool/log', 'https://git.sr.ht/~anna/tool/log/rss.xml'],
    [
      'https://git.sr.ht/~anna/tool',
      'https://git.sr.ht/~anna/tool/refs/rss.xml',
      'https://git.sr.ht/~anna/tool/log/rss.xml',
    ],
    ['https://pypi.org/project/tides/1.0/', 'https://pypi.org/rss/project/tides/releases.xml'],
    ['https://crates.io/crates/tides', 'https://static.crates.io/rss/crates/tides.xml'],
    ['https://packagist.org/packages/anna/tides', 'https://packagist.org/feeds/package.anna/tides.rss'],
    ['https://rubygems.org/gems/tides', 'https://rubygems.org/gems/tides/versions.atom'],
    ['https://www.reddit.com/r/rss', 'https://www.reddit.com/r/rss/.rss'],
    ['https://www.reddit.com/r/a+b/new/', 'https://www.reddit.com/r/a+b/new/.rss'],
    ['https://www.reddit.com/user/anna/m/boats/', 'https://www.reddit.com/user/anna/m/boats/.rss'],
    ['https://www.reddit.com/search/?q=high+tide', 'https://www.reddit.com/search.rss?q=high+tide&sort=new'],
    [
      'https://www.reddit.com/r/sea/search/?sort=new&q=tide',
      'https://www.reddit.com/r/sea/search.rss?q=tide&restrict_sr=on&sort=new',
    ],
    ['https://news.ycombinator.com/user?id=anna'],
    ['https://superuser.com/users/12/anna', 'https://superuser.com/feeds/user/12'],
    ['https://open.substack.com/pub/anna/p/letter', 'https://anna.substack.com/feed'],
    ['https://dev.to/anna/a-post-1a2b', 'https://dev.to/feed/anna'],
    ['https://dev.to/t/rss', 'https://dev.to/feed/tag/rss'],
    ['https://dev.to/settings'],
    ['https://anna.mirror.xyz/x', 'https://anna.mirror.xyz/feed/atom'],
    ['https://store.steampowered.com/app/12/Tides/', 'https://store.steampowered.com/feeds/news/app/12/'],
    ['https://steamcommunity.com/groups/tides', 'https://steamcommunity.com/groups/tides/rss/'],
    ['https://letterboxd.com/anna/films/diary/', 'https://letterboxd.com/anna/rss/'],
    ['https://letterboxd.com/film/tides/'],
    [
      'https://www.goodreads.com/user/show/12-anna',
      'https://www.goodreads.com/user/updates_rss/12',
      'https://www.goodreads.com/review/list_rss/12',
    ],
    [
      'https://www.goodreads.com/review/list/12-anna?shelf=to-read',
      'https://www.goodreads.com/review/list_rss/12?shelf=to-read',
    ],
    ['https://www.flickr.com/photos/tags/tide/', 'https://www.flickr.com/services/feeds/photos_public.gne?tags=tide'],
    [
      'https://www.flickr.com/photos/12345@N00/',
      'https://www.flickr.com/services/feeds/photos_public.gne?id=12345@N00',
    ],
    ['https://www.flickr.com/photos/anna/'],
    [
      'https://www.kickstarter.com/projects/anna/tides/description',
      'https://www.kickstarter.com/projects/anna/tides/posts.atom',
    ],
    ['https://arxiv.org/a/tide_a_1', 'https://arxiv.org/a/tide_a_1.atom'],
    [
      'https://arxiv.org/search/?query=tides&searchtype=all',
      'https://export.arxiv.org/api/query?search_query=all:tides&sortBy=submittedDate&sortOrder=descending&max_results=50',
    ],
    ['https://en.wikipedia.org/wiki/Tide', 'https://en.wikipedia.org/w/index.php?title=Tide&action=history&feed=atom'],
    [
      'https://de.wikipedia.org/wiki/Special:Contributions/Anna',
      'https://de.wikipedia.org/w/api.php?action=feedcontributions&user=Anna&feedformat=atom',
    ],
    [
      'https://wiki.example/w/index.php?title=Tide&action=history',
      'https://wiki.example/w/index.php?title=Tide&action=history&feed=atom',
    ],
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

describe('pathFormFeeds', () => {
  it.each<[string, ...string[]]>([
    ['https://forum.example/c/support/5', 'https://forum.example/c/support/5.rss'],
    ['https://forum.example/c/support/boats/7/l/latest', 'https://forum.example/c/support/boats/7.rss'],
    ['https://forum.example/t/low-tide/12/3', 'https://forum.example/t/low-tide/12.rss'],
    ['https://forum.example/tag/rss', 'https://forum.example/tag/rss.rss'],
    [
      'https://lemmy.example/c/tides@other.example',
      'https://lemmy.example/feeds/c/tides@other.example.xml?sort=New',
      'https://lemmy.example/feeds/videos.xml?videoChannelName=tides@other.example',
    ],
    ['https://lemmy.example/u/anna', 'https://lemmy.example/feeds/u/anna.xml?sort=New'],
    ['https://tube.example/video-channels/tides', 'https://tube.example/feeds/videos.xml?videoChannelName=tides'],
    ['https://tube.example/a/anna/videos', 'https://tube.example/feeds/videos.xml?accountName=anna'],
    ['https://social.example/tags/tides', 'https://social.example/tags/tides.rss'],
    ['https://example.org/blog/'],
  ])('%s', (url, ...feeds) => {
    expect(pathFormFeeds(address(url))).toEqual(feeds)
  })
})

describe('noFeedReason', () => {
  it.each([
    ['https://t.me/s/tides', /^Telegram has no feeds; .*--bridge\)$/],
    ['https://open.spotify.com/show/1a', /^Spotify .* Apple Podcasts$/],
    ['https://m.twitch.tv/anna', /^Twitch/],
    ['https://anna.bandcamp.com/album/tides', /^Bandcamp/],
    ['https://bitbucket.org/anna/tool', /^Bitbucket/],
    ['https://www.npmjs.com/package/tides', /^npm .* releases have a feed$/],
    ['https://hub.docker.com/r/anna/tides', /^Docker Hub/],
    ['https://mobile.twitter.com/anna', /^X has/],
    ['https://news.ycombinator.com/user?id=anna', /front page only/],
  ])('%s', (url, reason) => {
    expect(noFeedReason(address(url))).toMatch(reason)
  })

  it.each([
    'https://news.ycombinator.com/',
    'https://example.org/',
    'https://x.company/',
    'https://bitbucket.org/a/rss',
  ])('is absent for %s', (url) => {
    expect(noFeedReason(address(url))).toBeUndefined()
  })
})
