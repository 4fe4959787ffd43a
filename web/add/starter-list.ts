/** Suggested feeds for new users: public, long-lived, of several kinds. The titles are ours; folders are called like categories. */
import { words } from '../words.ts'

export interface StarterFeed {
  title: string
  url: string
  folder: string
}

const { world, science, technology, culture } = words.categories

export const STARTER_LIST: readonly StarterFeed[] = [
  { folder: world, title: 'BBC News: World', url: 'https://feeds.bbci.co.uk/news/world/rss.xml' },
  { folder: world, title: 'The Guardian: World', url: 'https://www.theguardian.com/world/rss' },
  { folder: world, title: 'Deutsche Welle', url: 'https://rss.dw.com/rdf/rss-en-all' },
  { folder: science, title: 'NASA', url: 'https://www.nasa.gov/feed/' },
  { folder: science, title: 'Nature', url: 'https://www.nature.com/nature.rss' },
  { folder: science, title: 'Quanta Magazine', url: 'https://www.quantamagazine.org/feed/' },
  { folder: technology, title: 'Ars Technica', url: 'https://feeds.arstechnica.com/arstechnica/index' },
  { folder: technology, title: 'LWN', url: 'https://lwn.net/headlines/rss' },
  { folder: technology, title: 'Node.js', url: 'https://nodejs.org/en/feed/blog.xml' },
  { folder: culture, title: 'Open Culture', url: 'https://www.openculture.com/feed' },
  { folder: culture, title: 'xkcd', url: 'https://xkcd.com/atom.xml' },
  { folder: culture, title: 'The Public Domain Review', url: 'https://publicdomainreview.org/rss.xml' },
]
