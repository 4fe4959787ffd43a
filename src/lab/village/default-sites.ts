/**
 * The sites of the village. Each has a purpose: a way to publish, to hide a feed, or to respond incorrectly.
 * `DEFAULT_SITES` have a realistic pace; `LIVELY_SITES` are a smaller set whose days take minutes, for demos on a fast
 * clock.
 */
import { HOUR, MINUTE, SECOND } from '../../model/index.ts'
import type { SiteSpec } from './spec.ts'

export const DEFAULT_SITES: readonly SiteSpec[] = [
  {
    name: 'wire',
    title: 'Village Press Agency',
    shows: 'an agency whose stories the papers take over',
    rhythm: { kind: 'round-the-clock', perDay: 30 },
    feeds: [{ path: '/atom.xml', format: 'atom', content: 'full', window: 30, maxAgeS: 300 }],
  },
  {
    name: 'gazette',
    title: 'The Lower Wickham Gazette',
    shows: 'a newspaper with office hours, and with more feeds than one wants',
    packing: 'br',
    rhythm: { kind: 'office-hours', perDay: 24 },
    copies: { of: 'wire', share: 0.3 },
    categories: ['Council', 'Weather', 'Geese'],
    feeds: [
      { path: '/comments/feed', about: 'comments' },
      { path: '/feed' },
      { path: '/category/geese/feed', about: { category: 'Geese' } },
    ],
  },
  {
    name: 'bugle',
    title: 'The Upper Wickham Bugle',
    shows: 'no page tells of its feed; it stands at a likely path',
    rhythm: { kind: 'office-hours', perDay: 12 },
    copies: { of: 'wire', share: 0.5 },
    feeds: [{ path: '/rss.xml', announced: 'no', validators: 'date', content: 'full' }],
  },
  {
    name: 'miller',
    title: 'Notes from the Mill',
    shows: 'a diary, once a day',
    voice: 'diary',
    rhythm: { kind: 'daily', hour: 6 },
    feeds: [{ path: '/index.xml', format: 'atom', content: 'full', validators: 'weak', window: 10 }],
  },
  {
    name: 'burrow',
    title: 'The Burrow Hour',
    shows: 'a weekly podcast whose feed is kept by another host',
    voice: 'podcast',
    rhythm: { kind: 'weekly', weekday: 4, hour: 6 },
    feeds: [{ path: '/burrow.rss', on: 'depot', validators: 'apache', ttlMinutes: 60 }],
  },
  {
    name: 'weathercock',
    title: 'The Weathercock on St Swithin',
    shows: 'a clock that strikes every hour',
    voice: 'weather',
    packing: 'zstd',
    rhythm: { kind: 'clockwork', everyMs: HOUR },
    feeds: [{ path: '/feed.json', format: 'json', window: 24, content: 'none', validators: 'strong' }],
  },
  {
    name: 'pump',
    title: 'Round the Town Pump',
    shows: 'a forum: silence, then everybody at once; only an ordinary link leads to its feed',
    voice: 'forum',
    rhythm: { kind: 'bursts', perDay: 40 },
    feeds: [{ path: '/latest.rdf', format: 'rdf', announced: 'anchor', window: 15, validators: 'none' }],
  },
  {
    name: 'anzeiger',
    title: 'Mühlbacher Anzeiger',
    shows: 'a German paper in an old encoding',
    language: 'de',
    rhythm: { kind: 'office-hours', perDay: 15 },
    feeds: [{ path: '/rss', charset: 'iso-8859-1', content: 'full' }],
  },
  {
    name: 'clocher',
    title: 'Le Petit Clocher',
    shows: 'a French paper with weak ETags, whose feed stands only in the header of its page',
    language: 'fr',
    rhythm: { kind: 'office-hours', perDay: 8, weekends: true },
    feeds: [{ path: '/atom.xml', format: 'atom', announced: 'header', validators: 'weak' }],
  },
  {
    name: 'attic',
    title: 'Letters from the Attic',
    shows: 'a blog that died years ago',
    voice: 'diary',
    silentSince: Date.UTC(2019, 10, 3),
    feeds: [{ path: '/feed.xml', content: 'full' }],
  },
  {
    name: 'meadow',
    title: 'Meadow & Hedgerow',
    shows: 'entries without dates and ids',
    voice: 'diary',
    rhythm: { kind: 'daily', hour: 17 },
    feeds: [{ path: '/feed.xml', dated: false, keyed: false }],
  },
  {
    name: 'ferry',
    title: 'The Night Ferry',
    shows: 'a feed that has moved for good',
    rhythm: { kind: 'clockwork', everyMs: 6 * HOUR },
    feeds: [
      { path: '/rss', fault: { kind: 'moved', status: 301, to: '/news/feed.xml' } },
      { path: '/news/feed.xml', announced: 'no' },
    ],
  },
  {
    name: 'orchard',
    title: 'The Orchard Keeper',
    shows: 'a feed that is elsewhere for the time being',
    voice: 'diary',
    feeds: [
      { path: '/feed', fault: { kind: 'moved', status: 302, to: '/harvest/feed.json' } },
      { path: '/harvest/feed.json', format: 'json', announced: 'no', content: 'full' },
    ],
  },
  {
    name: 'smithy',
    title: 'The Old Smithy',
    shows: 'a feed that is gone for good',
    feeds: [{ path: '/feed', fault: { kind: 'status', status: 410 } }],
  },
  {
    name: 'lighthouse',
    title: 'Lighthouse Log',
    shows: 'a page that tells of a feed that is not there',
    feeds: [{ path: '/log.xml', fault: { kind: 'status', status: 404 } }],
  },
  {
    name: 'market',
    title: 'Market Day',
    shows: 'a server that is soon tired and answers 429',
    voice: 'forum',
    rhythm: { kind: 'bursts', perDay: 60 },
    fault: { kind: 'rush-hour', status: 429, everyMs: HOUR, forMs: 20 * MINUTE },
  },
  {
    name: 'scribe',
    title: "The Careless Scribe's Daily",
    shows: 'XML that no strict parser would read',
    rhythm: { kind: 'daily', hour: 8 },
    feeds: [{ path: '/rss.xml', fault: { kind: 'broken-xml' } }],
  },
  {
    name: 'parrot',
    title: 'The Parrot',
    shows: 'a server that says "not modified", whatever it publishes',
    rhythm: { kind: 'daily', hour: 12 },
    feeds: [{ path: '/feed', validators: 'lying' }],
  },
  {
    name: 'magpie',
    title: 'The Magpie',
    shows: 'new validators for the same words, every time',
    rhythm: { kind: 'daily', hour: 20 },
    feeds: [{ path: '/feed.xml', validators: 'restless' }],
  },
  {
    name: 'castle',
    title: 'The Castle',
    shows: 'robots.txt asks everybody to stay away',
    robots: 'User-agent: *\nDisallow: /\n',
  },
  {
    name: 'abbey',
    title: 'The Silent Abbey',
    shows: 'a login page where the feed should be',
    feeds: [{ path: '/feed', fault: { kind: 'login' } }],
  },
  {
    name: 'snail',
    title: 'Snail Mail',
    shows: 'a few bytes at a time',
    feeds: [{ path: '/feed', fault: { kind: 'slow' } }],
  },
  {
    name: 'river',
    title: 'The River',
    shows: 'an answer that never ends',
    feeds: [{ path: '/feed', fault: { kind: 'endless' } }],
  },
  {
    name: 'bridge',
    title: 'The Broken Bridge',
    shows: 'an answer that breaks off',
    feeds: [{ path: '/feed', fault: { kind: 'cut' } }],
  },
  {
    name: 'fox',
    title: 'The Shy Fox',
    shows: 'a connection that is thrown away',
    feeds: [{ path: '/feed', fault: { kind: 'reset' } }],
  },
  {
    name: 'library',
    title: 'The Library of Everything',
    shows: 'more than anybody can read',
    feeds: [{ path: '/feed', validators: 'none', fault: { kind: 'huge', bytes: 24 * 2 ** 20 } }],
  },
]

export const LIVELY_SITES: readonly SiteSpec[] = [
  lively('wire', { pictures: 'text', feeds: [{ path: '/atom.xml', format: 'atom', content: 'full', window: 30 }] }),
  lively('gazette', { pictures: 'feed', rhythm: { kind: 'office-hours', perDay: 30, weekends: true } }),
  lively('bugle', { pictures: 'page', rhythm: { kind: 'office-hours', perDay: 16, weekends: true } }),
  lively('weathercock', { shows: 'a clock that strikes every minute', rhythm: { kind: 'clockwork', everyMs: MINUTE } }),
  {
    name: 'mill',
    title: 'The Mill Wheel, Turn by Turn',
    pictures: 'feed',
    shows: 'something every ten seconds',
    dayMs: 24 * MINUTE,
    rhythm: { kind: 'clockwork', everyMs: 10 * SECOND },
    feeds: [{ path: '/feed.xml', window: 50 }],
  },
  lively('pump'),
  lively('miller', { pictures: 'text' }),
  lively('burrow', {
    shows: 'a daily podcast whose feed is kept by another host',
    pictures: 'page',
    rhythm: { kind: 'daily', hour: 6 },
    feeds: [{ path: '/burrow.rss', on: 'depot' }],
  }),
  lively('anzeiger', { pictures: 'text', rhythm: { kind: 'office-hours', perDay: 20, weekends: true } }),
  lively('clocher', { pictures: 'feed', rhythm: { kind: 'round-the-clock', perDay: 10 } }),
  lively('attic'),
  lively('ferry', { pictures: 'feed', rhythm: { kind: 'clockwork', everyMs: 5 * MINUTE } }),
  lively('market', { fault: { kind: 'rush-hour', status: 429, everyMs: 10 * MINUTE, forMs: 4 * MINUTE } }),
  lively('scribe', { pictures: 'page', rhythm: { kind: 'round-the-clock', perDay: 12 } }),
  lively('smithy'),
]

/** One of the default sites, sixty times as fast. */
function lively(name: string, changes: Partial<SiteSpec> = {}): SiteSpec {
  const site = DEFAULT_SITES.find((site) => site.name === name)!
  return { ...site, dayMs: 24 * MINUTE, ...changes }
}
