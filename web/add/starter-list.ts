/** Suggested feeds for new users: public, long-lived, of several kinds. The titles are ours. */
export interface StarterFeed {
  title: string
  url: string
  folder: string
}

export const STARTER_LIST: readonly StarterFeed[] = [
  { folder: 'World', title: 'BBC News: World', url: 'https://feeds.bbci.co.uk/news/world/rss.xml' },
  { folder: 'World', title: 'The Guardian: World', url: 'https://www.theguardian.com/world/rss' },
  { folder: 'World', title: 'Deutsche Welle', url: 'https://rss.dw.com/rdf/rss-en-all' },
  { folder: 'Science', title: 'NASA', url: 'https://www.nasa.gov/feed/' },
  { folder: 'Science', title: 'Nature', url: 'https://www.nature.com/nature.rss' },
  { folder: 'Science', title: 'Quanta Magazine', url: 'https://www.quantamagazine.org/feed/' },
  { folder: 'Technology', title: 'Ars Technica', url: 'https://feeds.arstechnica.com/arstechnica/index' },
  { folder: 'Technology', title: 'LWN', url: 'https://lwn.net/headlines/rss' },
  { folder: 'Technology', title: 'Node.js', url: 'https://nodejs.org/en/feed/blog.xml' },
  { folder: 'Culture', title: 'Open Culture', url: 'https://www.openculture.com/feed' },
  { folder: 'Culture', title: 'xkcd', url: 'https://xkcd.com/atom.xml' },
  { folder: 'Culture', title: 'The Public Domain Review', url: 'https://publicdomainreview.org/rss.xml' },
]
