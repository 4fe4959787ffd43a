/**
 * Feed parsing (RSS, Atom, RDF, JSON Feed), feed discovery on web pages, detection of new entries, OPML, and exports of other readers.
 * Pure functions. Terms beside those of the model:
 *
 * - draft:      an entry as parsed, before it is known whether it is new
 * - key:        identifies a draft within its feed: its guid, else its address, else a hash of its content
 * - known:      a draft whose key was seen before; *fresh* drafts were not, *changed* ones have other content
 * - signature:  title with address, or title with date: identifies entries of feeds that give them new keys on every poll
 * - page:       a web page in which feed links are searched. The pages of a paged feed are called *older documents* (RFC 5005)
 * - candidate:  an address that may be a feed, and how it was found; a *probe* is a guessed one
 * - secondary:  a feed besides the main one: of comments, of one tag, for specialized clients
 * - hint:       what a document says about polling frequency
 */
export { plainText } from '../html/index.ts'
export type { FeedCandidate } from './discover/candidates.ts'
export { feedLinks, furtherPages, pageTitle, refreshTarget } from './discover/find-feed-links.ts'
export { hostRuleFeeds, noFeedReason } from './discover/host-rules.ts'
export { addHub } from './discover/hub-links.ts'
export { CONSENT_MESSAGE, detectBotCheck, isConsentPage, pageBehindConsent } from './discover/interstitials.ts'
export { type LookupResult, lookupOf } from './discover/lookups.ts'
export { outgoingLinks } from './discover/outgoing-links.ts'
export { parsePastedAddress } from './discover/pasted-address.ts'
export { probeAddresses } from './discover/probes.ts'
export { type RankedFeed, rankFeeds } from './discover/rank-feeds.ts'
export type { ProbedFeed } from './discover/score-feed.ts'
export { listedSitemaps, sitemapAddresses } from './discover/sitemaps.ts'
export { looksLikeFeed } from './discover/sniff.ts'
export { normalizeUserAddress, parseUserAddress, type SameSite } from './discover/user-address.ts'
export { assignFeeds, type KnownFeed } from './imports/assign-feeds.ts'
export {
  type ParsedReaderFile,
  parseReaderFileInSteps,
  type ReaderFormat,
} from './imports/parse-reader-file.ts'
export {
  createReaderDataCollector,
  type ImportedEntry,
  MAX_IMPORTED_ENTRIES,
  mergeReaderData,
  type RawEntry,
  type ReaderData,
} from './imports/reader-data.ts'
export { collectJson } from './imports/reader-json.ts'
export { knownFeedsOf, MAX_REMEMBERED_PER_FEED, readerDataParts } from './imports/send-reader-data.ts'
export { type OpmlOutline, type ParsedOpml, parseOpml, parseOpmlInSteps } from './opml/parse-opml.ts'
export { createOpmlWriter, type OpmlFeed, writeOpml } from './opml/write-opml.ts'
export { type ParsedDate, parseDate } from './parse/dates/parse-date.ts'
export { possibleKeys } from './parse/keys.ts'
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
export { type DecodedText, decodeText } from './parse/text/decode-text.ts'
export { haveKeysChanged, matchChangedKeys } from './reconcile/changed-keys.ts'
export { endsLikeTeaser, hasFullText, textToJudge } from './reconcile/full-text.ts'
export { isRewritten, matchByText, quirksAfter, textSignature } from './reconcile/match-by-text.ts'
export { pageAddress } from './reconcile/page-address.ts'
export {
  entrySignatures,
  entrySignaturesInSteps,
  normalizeUrl,
  type Reconciled,
  reconcile,
  reconcileInSteps,
} from './reconcile/reconcile.ts'
export { alternativeKeys, keyCandidates, needsEntryTexts, resolveKeys } from './reconcile/resolve-keys.ts'
export { removePrefix } from './reconcile/title-prefix.ts'
export { type LinkPair, removeParameters, varyingParameters } from './reconcile/varying-parameters.ts'
