/**
 * What a feed says, and where it is: parsing (RSS, Atom, RDF, JSON Feed), discovery from a site's page, what is new in a
 * window, lists of feeds. All of it is a function of its arguments. Its own words, beside those of the model:
 *
 * - draft:      an entry as the document has it, before anybody knows whether it is new
 * - key:        by which a draft is known again: its guid, else its address, else a hash of what it says
 * - known:      of a draft, that its feed has shown its key before; *fresh* is what is not, *changed* what says something else
 * - saying:     title with address, or with date, word for word: for feeds that invent their keys anew at every poll
 * - piece:      in XML, one element that somebody wants, as a slice of the document
 * - page:       HTML at a site's address, in which links to feeds are looked for; what is behind a feed's window is an *older document* (RFC 5005)
 * - candidate:  an address that may be a feed's, and how we came by it; a *probe* is one that we only guess
 * - minor:      a feed beside the main one: of comments, of one tag, for other programs
 * - hint:       what the document says about how often to come
 */
export { plainText } from '../markup/index.ts'
export type { FeedCandidate } from './discover/candidates.ts'
export { hostRuleFeeds } from './discover/host-rules.ts'
export { feedLinks, furtherPages, pageTitle, refreshedTo } from './discover/html-links.ts'
export { withHub } from './discover/hub-links.ts'
export { probeAddresses } from './discover/probes.ts'
export { type RankedFeed, rankFeeds } from './discover/rank.ts'
export type { TriedFeed } from './discover/score.ts'
export { looksLikeFeed } from './discover/sniff.ts'
export { givenAddress, normaliseAddress, type SameSite } from './discover/typed-address.ts'
export { CONSENT_WALL, challengeIn, isConsentPage, pageBehindConsent } from './discover/walls.ts'
export { type OpmlOutline, type OpmlReading, parseOpml, parseOpmlInPieces } from './opml/read-opml.ts'
export { createOpmlList, type OpmlFeed, writeOpml } from './opml/write-opml.ts'
export { type ParsedDate, parseDate } from './parse/dates/parse-date.ts'
export { type ParseContext, parseFeed } from './parse/parse-feed.ts'
export {
  type Enclosure,
  FEED_LIMITS,
  type FeedCategory,
  type FeedPerson,
  type NotAFeed,
  type ParsedEntry,
  type ParsedFeed,
} from './parse/parsed-feed.ts'
export { type Decoded, decodeText } from './parse/text/decode-text.ts'
export { judgedText, showsFullText } from './reconcile/full-text.ts'
export { healedKeys, mayBeRekeyed } from './reconcile/heal-keys.ts'
export { isRewritten, matchedByText, quirksAfter, sayingOf } from './reconcile/match-by-text.ts'
export { pageAddress } from './reconcile/page-address.ts'
export { type Reconciled, reconcile, reconcileInSteps, sayings, sayingsInSteps } from './reconcile/reconcile.ts'
export { asksForWords, candidatesOf, otherKeys, settleKeys } from './reconcile/settle-keys.ts'
export { withoutPrefix } from './reconcile/title-prefix.ts'
export { type LinkPair, varyingParameters, withoutParameters } from './reconcile/varying-parameters.ts'
