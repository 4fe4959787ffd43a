/**
 * What things are. Every other room speaks in these words, and tells at its own index.ts which it adds; this room imports nothing.
 *
 * - source:     an address somebody gave us whose feed has to be found; kept with the feed it led to
 * - feed:       one RSS, Atom or JSON Feed document at one address, the canonical one of its site
 * - entry:      one item of a feed, as the feed states it; its *key* tells it from the others of that feed
 * - group:      entries that are copies of one text, or tell one story; its *primary* speaks for the others
 * - level:      what a group has in common: *copy* (one text) or *story* (one event); the two are never mixed
 * - window:     the entries that a feed shows at one moment; older ones have dropped out of it
 * - gap:        a window in which nothing was known: entries may have come and gone unseen
 * - medium:     a file or picture that its publisher puts beside an entry
 * - article:    the page that entries point at, read and kept; one page is one article
 * - errand:     something that is done for a feed before it is polled as usual
 * - poll:       one attempt to read a feed, and what came of it; polls are only ever appended
 * - strategy:   how we guess when a feed will have something new; its *memory* is all that it knows of a feed
 * - schedule:   a feed's memory and the date at which it is next *due*
 * - market:     one price of a poll for all feeds, moved so that a budget of polls is met
 * - reading:    a feed that a person follows; its *marks* say which entries he has read, and which he starred
 * - lease:      while a task for a feed or source is out, nobody else gets it; a lease that ran out is void. Its *token* says whose
 * - bucket:     some of all roots, with one owner at a time, where several controllers share the work
 * - push:       a feed's subscription at a hub, which tells us what is new before we ask
 * - root:       a registrable domain (`news.example.co.uk` -> `example.co.uk`), the unit in which we are polite
 * - host:       a root and what we know of its patience
 * - task:       one piece of network work; its *outcome* is what came back. Both are plain values
 * - failure:    what the world does to a crawler on an ordinary day; a value, never an exception
 * - controller: decides what is sent and applies outcomes; who writes to the store is on its side
 * - terminal:   performs tasks; alone goes out to the network for the crawl, and has no store
 */

export * from './address.ts'
export * from './article.ts'
export * from './bounded-map.ts'
export * from './bucket.ts'
export * from './credentials.ts'
export * from './durations.ts'
export * from './failure.ts'
export * from './feed.ts'
export * from './group.ts'
export * from './hinted-error.ts'
export * from './host.ts'
export * from './market.ts'
export * from './media.ts'
export * from './person.ts'
export * from './poll.ts'
export * from './printable.ts'
export * from './push.ts'
export * from './reading.ts'
export * from './robots.ts'
export * from './secret-address.ts'
export * from './source.ts'
export * from './steps.ts'
export * from './task.ts'
export * from './text-hash.ts'
export * from './thread-status.ts'
export * from './time.ts'
export * from './visibility.ts'
