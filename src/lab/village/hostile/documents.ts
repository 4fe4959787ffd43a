/** Sites with hostile or incorrect documents. */
import { alwaysReply, feed, type HostileSite, reply, replyInTurn } from './site.ts'

const ITEM = '<item><guid>1</guid><title>One</title></item>'

interface Trap {
  name: string
  behavior: string
  document: (port: number) => string | Uint8Array
  poll: string
  after?: HostileSite['after']
}

const TRAPS: Trap[] = [
  {
    name: 'xxe-file',
    behavior: 'wants a file of its reader to be put into a title',
    document: () => rss('<item><guid>1</guid><title>&x;</title></item>', '<!ENTITY x SYSTEM "file:///etc/passwd">'),
    poll: 'read 1',
    after: { title: '&x;' },
  },
  {
    name: 'xxe-address',
    behavior: 'wants its reader to fetch something',
    document: (port) => {
      const trap = `SYSTEM "http://xxe-address.localhost:${port}/trap"`
      return rss('<item><guid>1</guid><title>&x;</title></item>', `<!ENTITY x ${trap}><!ENTITY % y ${trap}>%y;`)
    },
    poll: 'read 1',
    after: { title: '&x;' },
  },
  {
    name: 'billion-laughs',
    behavior: 'has entities made of entities, two billion letters in all',
    document: () => {
      const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
      return rss('<item><guid>1</guid><title>&l9;</title></item>', `<!ENTITY l0 "ha">${laughs.join('')}`)
    },
    poll: 'read 1',
    after: { title: '&l8;'.repeat(10) },
  },
  {
    name: 'quadratic',
    behavior: 'uses one long entity many times',
    document: () =>
      rss(`<item><guid>1</guid><title>${'&a;'.repeat(50_000)}</title></item>`, `<!ENTITY a "${'a'.repeat(4000)}">`),
    poll: 'read 1',
    after: { title: 'a'.repeat(2000) },
  },
  {
    name: 'recursive-entity',
    behavior: 'has an entity that is made of itself',
    document: () => rss('<item><guid>1</guid><title>&a;</title></item>', '<!ENTITY a "&b;"><!ENTITY b "&a;">'),
    poll: 'read 1',
    after: { title: '&b;' },
  },
  {
    name: 'deep',
    behavior: 'nests a million elements',
    document: () => rss(`${ITEM}${'<a>'.repeat(1_000_000)}`),
    poll: 'read 1',
  },
  {
    name: 'deep-json',
    behavior: 'nests a million arrays',
    document: () => `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(1_000_000)}`,
    poll: 'read 0',
  },
  {
    name: 'proto-json',
    behavior: 'wants to change the prototype of all objects',
    document: () => {
      const item = '{"id":"1","title":"One","__proto__":{"author":"me"},"constructor":{"prototype":{"author":"me"}}}'
      return `{"version":"https://jsonfeed.org/version/1.1","title":"t","__proto__":{"author":"me"},"items":[${item}]}`
    },
    poll: 'read 1',
  },
  { name: 'many-items', behavior: 'has 100,000 items', document: () => feed(100_000), poll: 'read 10000' },
  {
    name: 'one-long-item',
    behavior: 'has one item of 9 MB',
    document: () =>
      rss(`<item><guid>1</guid><title>One</title><description>${'long '.repeat(1_800_000)}</description></item>`),
    poll: 'read 1',
  },
  {
    name: 'long-attribute',
    behavior: 'has an attribute of 5 MB',
    document: () => rss(`${ITEM}<a b="${'c'.repeat(5_000_000)}"/>`),
    poll: 'read 1',
  },
  {
    name: 'open-comments',
    behavior: 'opens a comment again and again',
    document: () => rss(`${ITEM}${'<!-- '.repeat(500_000)}`),
    poll: 'read 1',
  },
  {
    name: 'ampersands',
    behavior: 'has two million ampersands',
    document: () =>
      rss(`<item><guid>1</guid><title>One</title><description>${'&'.repeat(2_000_000)}</description></item>`),
    poll: 'read 1',
  },
  {
    name: 'nuls',
    behavior: 'ends in a million NULs',
    document: () => `${rss(ITEM)}${'\0'.repeat(1_000_000)}`,
    poll: 'read 1',
  },
  {
    name: 'bad-utf8',
    behavior: 'has bytes that are no letters',
    document: () => Buffer.from(rss('<item><guid>1</guid><title>\xff\xfe\xc3</title></item>'), 'latin1'),
    poll: 'read 1',
  },
  {
    name: 'future',
    behavior: 'has entries from the year 9999',
    document: () =>
      rss('<item><guid>1</guid><title>One</title><pubDate>Fri, 31 Dec 9999 23:59:59 GMT</pubDate></item>'),
    poll: 'read 1',
  },
  {
    name: 'one-guid',
    behavior: 'gives all its entries the same id',
    document: () =>
      rss(Array.from({ length: 50 }, (_, i) => `<item><guid>same</guid><title>No. ${i}</title></item>`).join('')),
    poll: 'read 50',
  },
  {
    name: 'cut-document',
    behavior: 'ends in the middle of its third item',
    document: () => feed(3).slice(0, -70),
    poll: 'read 2',
  },
]

export const DOCUMENT_SITES: HostileSite[] = [
  ...TRAPS.map(
    ({ name, behavior, document, poll, after }): HostileSite => ({
      name,
      behavior,
      expect: 'is read as far as it is a feed, at little cost, and nothing else is asked for',
      script: alwaysReply(({ port }) => reply(200, document(port))),
      polls: [poll],
      after: { requests: 1, minutesAhead: 0, ...after },
    }),
  ),
  ...(['text/html', 'image/png', 'application/octet-stream', 'text/plain; charset=nonsense', '', '////'] as const).map(
    (type, i): HostileSite => ({
      name: `type-${i}`,
      behavior: type ? `says that its feed is "${type}"` : 'behavior not say what it sends',
      expect: 'is read: what counts is what it is',
      script: () => reply(200, feed(3), { 'content-type': type || undefined }),
      polls: ['read 3'],
    }),
  ),
  {
    name: 'login',
    behavior: 'answers with a login page and 200 where the feed was',
    expect: 'is no feed; entries, address and validators stay',
    script: replyInTurn(
      () => reply(200, feed(3), { etag: '"good"' }),
      () => reply(200, page('Please log in', '<form method="post"><input name="password"></form>'), html('"login"')),
      () => reply(302, '', { location: '/login' }),
      () => reply(200, page('Please log in', ''), html('"login"')),
      ({ headers }) => reply(headers['if-none-match'] === '"good"' ? 304 : 500),
    ),
    polls: ['read 3', 'not-a-feed', 'not-a-feed', 'unchanged by server'],
    after: { entries: 3, etag: '"good"', path: '/feed' },
  },
  {
    name: 'soft-404',
    behavior: 'answers 200 and "not found" where the feed was',
    expect: 'is no feed and clears nothing',
    script: replyInTurn(
      () => reply(200, feed(3), { etag: '"good"' }),
      () => reply(200, page('Page not found', '<p>Sorry!</p>'), html('"lost"')),
    ),
    polls: ['read 3', 'not-a-feed', 'not-a-feed'],
    after: { entries: 3, etag: '"good"', state: 'active' },
  },
  {
    name: 'empty-feed',
    behavior: 'has no entries any more',
    expect: 'is read, and what it said before stays',
    script: replyInTurn(
      () => reply(200, feed(3)),
      () => reply(200, feed(0)),
    ),
    polls: ['read 3', 'read 0'],
    after: { entries: 3 },
  },
]

function rss(items: string, entities = ''): string {
  const doctype = entities && `<!DOCTYPE rss [${entities}]>`
  return `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>t</title>${items}</channel></rss>`
}

function page(title: string, body: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`
}

function html(etag: string): Record<string, string> {
  return { 'content-type': 'text/html', etag }
}
