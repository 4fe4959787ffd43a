/**
 * The data model and the glossary of the whole program. Other modules add their own terms in their index.ts. Imports nothing.
 *
 * - source:     an address a user gave us whose feed still has to be found; it stays stored with the feed it led to
 * - feed:       one RSS, Atom or JSON Feed document at one address
 * - entry:      one item of a feed, as the feed states it; its *key* identifies it within that feed
 * - group:      entries that are copies of one text or cover one story; its *primary* represents the others
 * - level:      what a group has in common: *copy* (one text) or *story* (one event); a group has one level
 * - window:     the entries a feed shows at one moment; older ones have dropped out of it
 * - gap:        a window without any known entry: entries may have come and gone unseen
 * - medium:     a file or picture attached to an entry
 * - article:    the page that entries link to, fetched and stored; one page is one article
 * - follow-up task: runs before a feed is polled normally again: reading older pages, or searching its site (`followUp`)
 * - poll:       one attempt to fetch a feed, and its result; the poll log is append-only
 * - strategy:   an algorithm that predicts when a feed publishes; its *memory* is the state it keeps per feed
 * - schedule:   a feed's strategy state and when it is next *due*
 * - market:     one price of a poll for all feeds, adjusted so that the poll budget is met
 * - subscription: a feed followed by a user, who has a read and starred state for its entries
 * - label:        a name that a user gives to entries
 * - rule:         when an entry matches a query in a scope, then actions
 * - destination:  a service to which a user sends entries
 * - lease:      exclusive claim on a feed or source while its task is in flight; it expires. Its *token* identifies the holder
 * - bucket:     a partition of all roots with one owner at a time, where several controllers share the work
 * - hub subscription: a feed's WebSub subscription: a hub pushes updates before we poll; a pushed document is a *push*
 * - root:       a registrable domain (`news.example.co.uk` -> `example.co.uk`), the unit of rate limiting
 * - host:       a root and its rate limiting state
 * - task:       one piece of network work; its *outcome* is the result. Both are plain values
 * - failure:    an expected error of the outside world; a value, never an exception
 * - controller: decides what is sent and applies outcomes; everything that writes to the store runs on its side
 * - fetcher:    performs tasks and makes all requests of the crawl; has no store
 */

export * from './address.ts'
export * from './article.ts'
export * from './bounded-map.ts'
export * from './bucket.ts'
export * from './credentials.ts'
export * from './durations.ts'
export * from './failure.ts'
export * from './feed.ts'
export * from './fetch-settings.ts'
export * from './group.ts'
export * from './hinted-error.ts'
export * from './host.ts'
export * from './hub-subscription.ts'
export * from './interruptible-work.ts'
export * from './market.ts'
export * from './media.ts'
export * from './poll.ts'
export * from './printable.ts'
export * from './robots.ts'
export * from './secret-address.ts'
export * from './source.ts'
export * from './task.ts'
export * from './text-hash.ts'
export * from './thread-status.ts'
export * from './time.ts'
export * from './user.ts'
export * from './user-data.ts'
export * from './visibility.ts'
