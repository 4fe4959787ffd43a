/**
 * What a feed says, and where it is: parsing (RSS, Atom, RDF, JSON Feed), discovery from a site's page, what is new in a
 * window, lists of feeds. All of it is a function of its arguments. htmlparser2 splits markup into tags, entities knows
 * HTML's named characters.
 */
export type { Candidate } from './candidates.ts'
export { type ParsedDate, parseDate } from './dates/parse-date.ts'
export { givenAddress, normaliseAddress, type SameSite } from './discover-address.ts'
export { probeAddresses } from './discover-probes.ts'
export { type RankedFeed, rankFeeds } from './discover-rank.ts'
export type { TriedFeed } from './discover-score.ts'
export { showsFullText } from './full-text.ts'
export { hostRuleFeeds } from './host-rules.ts'
export { feedLinks, pageTitle } from './html-links.ts'
export { withHub } from './hub-links.ts'
export { type OpmlReading, type Outline, parseOpml, parseOpmlInPieces } from './opml.ts'
export { createOpmlList, type OpmlFeed, writeOpml } from './opml-write.ts'
export { pageAddress } from './page-address.ts'
export { type ParseContext, parseFeed } from './parse-feed.ts'
export {
  type Category,
  type Enclosure,
  FEED_LIMITS,
  type NotAFeed,
  type ParsedEntry,
  type ParsedFeed,
  type Person,
} from './parsed-feed.ts'
export { type Reconciled, reconcile, sayings } from './reconcile.ts'
export { asksForWords, otherKeys, settleKeys } from './settle-keys.ts'
export { looksLikeFeed } from './sniff.ts'
export { type Decoded, decodeText } from './text/decode-text.ts'
export { plainText } from './text/plain-text.ts'
export { withoutPrefix } from './title-prefix.ts'
