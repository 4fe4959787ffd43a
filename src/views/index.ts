/**
 * Queries that the server and the command line share, with results as stable JSON: dates are ISO 8601 in UTC, ids are numbers, absent values
 * are left out, and failures have a `kind` for programs and `words` for users. The API, the page and `--json` all use these shapes, so the
 * model can change behind them. Terms beside those of the model:
 *
 * - shape:      an object of the model in JSON; one file each in shapes/
 * - details:    an object with everything known about it: a feed with its polls and entries, an entry with its article
 * - words:      a sentence for users, beside a `kind` for programs
 * - visibility: which feeds a caller may see, with all that belongs to them
 */
export { addressTakenMessage } from './address-taken.ts'
export { articleOfEntry } from './article-of-entry.ts'
export { budgetInForce, budgetReport } from './budget.ts'
export { chaptersInDocument, chaptersOfEntry, mayBeChapters } from './chapters.ts'
export { completionsOf } from './completions.ts'
export { publicationDelays } from './delays.ts'
export { entryDetails } from './entry-details.ts'
export type { Catalogues } from './entry-texts.ts'
export { searchedTexts } from './entry-texts.ts'
export { type ExportFilter, type ExportKind, exportLines } from './export-lines.ts'
export { extractionPreview, extractionProblem } from './extraction-preview.ts'
export { feedDetails, feedsWithHubs } from './feed-details.ts'
export {
  type FeedOutQuery,
  feedOutFingerprint,
  feedOutQuery,
  type OutgoingFeed,
  type OutgoingItem,
  outgoingFeed,
  outgoingItems,
} from './feed-out.ts'
export type { VisibleParts } from './feed-visibility.ts'
export {
  type EntryFilter,
  entriesWithTitles,
  findEntries,
  findEntryIds,
  foundEntriesWithTitles,
} from './find-entries.ts'
export {
  groupDetails,
  groupsOfEntry,
  groupsWithPrimaries,
  lineageOfEntry,
  statisticsWithTitles,
} from './find-groups.ts'
export { type FleetMembers, fleetMembers } from './fleet-members.ts'
export { feedsInFolder, followedFeedIds, followedFeedPages, selectFeeds, subscriptionPages } from './followed-feeds.ts'
export { entriesWithFacts } from './for-you/entry-facts.ts'
export { compareOwnRankings, forYou, learnedBy, recordedInteractions } from './for-you/for-you.ts'
export { relearn } from './for-you/replay-interactions.ts'
export {
  forgetRanking,
  type Interaction,
  interactionsOf,
  loadRanking,
  storeInteractions,
  storeRanking,
} from './for-you/stored-ranking.ts'
export { goalReport } from './goals.ts'
export { withoutMuted } from './hide-muted.ts'
export { hourlySeries } from './hourly-series.ts'
export { hubReport } from './hubs.ts'
export { entryPicture, entryRecording, feedIcon, type LinkedFile, siteIcon } from './pictures.ts'
export { playbackPositions, savePlayback } from './playback.ts'
export { previewShape } from './preview.ts'
export { resolveTerm, stateTest } from './resolve-query.ts'
export { roundsOfFeed } from './rounds.ts'
export { type Batch, type BatchParts, nextBatch, sameBatch } from './search-batch.ts'
export { attemptShape, destinationShape, sendShape } from './shapes/destination.ts'
export { pollShape } from './shapes/poll.ts'
export { feedOutShape, savedSearchShape, webhookShape } from './shapes/sharing.ts'
export { sourceShape } from './shapes/source.ts'
export { hostShape, knownHostShape } from './shapes/status.ts'
export { type StreamEvent, streamEvents } from './shapes/stream-event.ts'
export { identityShape, tokenShape, userSessionShape, userShape } from './shapes/user.ts'
export { omitUndefined } from './shapes/values.ts'
export { siteReport } from './site.ts'
export { statusOfCrawl } from './status.ts'
export { followedFeedShape, pendingSubscriptionShapes, subscriptionDetails } from './subscriptions.ts'
export { suggestFeeds } from './suggestions.ts'
export { visibleTo } from './visible-catalogues.ts'
export { type VisibilityParts, visibilityFor, visibleToUser } from './visible-to-user.ts'
