/**
 * What server and command line both show: found in the store, put together, and written as JSON. That JSON is stable: dates are
 * ISO 8601 in UTC, ids are numbers, what is absent is left out, and whatever went wrong has its `kind` for programs and its
 * `words` for people. The model may change behind it; the API, the page and the command line's --json all speak these shapes.
 * Its own words, beside those of the model:
 *
 * - shape:      a noun of the model as our JSON has it; one file a noun in shapes/
 * - whole:      a thing with all that is told of it on its own: a feed with its polls and entries, an entry with its article
 * - named:      with the titles of the feeds, which entries and groups have only by their ids
 * - words:      a sentence for people, beside a `kind` for programs
 * - room:       what takes how much of the disk; the only place where that is the word's meaning
 * - omitUndefined: without the fields that are undefined
 */
export { addressTakenMessage } from './address-taken.ts'
export { articleOfEntry } from './article-of-entry.ts'
export { budgetInForce, budgetReport } from './budget.ts'
export { publicationDelays } from './delays.ts'
export { entryDetails } from './entry-details.ts'
export { type Exported, type ExportFilter, exportLines } from './export-lines.ts'
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
  type Catalogues,
  type EntryFilter,
  entriesWithTitles,
  findEntries,
  foundEntriesWithTitles,
  matchingAmong,
} from './find-entries.ts'
export {
  groupDetails,
  groupsOfEntry,
  groupsWithPrimaries,
  lineageOfEntry,
  statisticsWithTitles,
} from './find-groups.ts'
export { type FleetMembers, fleetMembers } from './fleet-members.ts'
export { selectFeeds, subscriptionPages } from './followed-feeds.ts'
export { goalReport } from './goals.ts'
export { hourlySeries } from './hourly-series.ts'
export { hubReport } from './hubs.ts'
export { entryPictureUrl, faviconUrl, feedIconUrl } from './pictures.ts'
export { previewShape } from './preview.ts'
export { roundsOfFeed } from './rounds.ts'
export { pollShape } from './shapes/poll.ts'
export { feedOutShape, savedSearchShape, webhookShape } from './shapes/sharing.ts'
export { sourceShape } from './shapes/source.ts'
export { hostShape, knownHostShape } from './shapes/status.ts'
export { type StreamEvent, streamEvents } from './shapes/stream-event.ts'
export { tokenShape, userShape } from './shapes/user.ts'
export { omitUndefined } from './shapes/values.ts'
export { siteReport } from './site.ts'
export { statusOfCrawl } from './status.ts'
export { pendingSubscriptionShapes, subscriptionShapes } from './subscriptions.ts'
export { visibleTo } from './visible-catalogues.ts'
export { type VisibilityParts, visibilityFor, visibleToUser } from './visible-to-user.ts'
