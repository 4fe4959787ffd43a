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
 * - present:    without the fields that are undefined
 */
export { takenInWords } from './address-taken.ts'
export { articleOfEntry } from './article-of-entry.ts'
export { budgetInForce, budgetReport } from './budget.ts'
export { delaysAt } from './delays.ts'
export { type Exported, type ExportFilter, exportLines } from './export-lines.ts'
export {
  type FeedOutQuery,
  type OutgoingFeed,
  type OutgoingItem,
  outgoingFeed,
  outgoingItems,
  queryOfFeedOut,
  stateOfFeedOut,
} from './feed-out.ts'
export { type Catalogues, findEntries, matchingAmong, type Narrowed, namedEntries, namedFinds } from './find-entries.ts'
export { copiesOf, groupsOfEntry, namedGroup, namedGroups, namedStatistics } from './find-groups.ts'
export { feedsNamed, subscriptionPages } from './followed-feeds.ts'
export { goalReport } from './goals.ts'
export { hoursOf } from './hours.ts'
export { hubsOf } from './hubs.ts'
export { type MembersShown, membersShown } from './members.ts'
export { iconAddress, iconOf, pictureNamed } from './pictures.ts'
export { previewOf } from './preview.ts'
export { followedShapes, waitingShapes } from './readings.ts'
export { roundsOfFeed } from './rounds.ts'
export { feedOutShape, savedSearchShape, webhookShape } from './shapes/handout.ts'
export { personShape, tokenShape } from './shapes/person.ts'
export { pollShape } from './shapes/poll.ts'
export { present } from './shapes/present.ts'
export { sourceShape } from './shapes/source.ts'
export { hostShape, knownHostShape } from './shapes/status.ts'
export { type ToldMessage, toldOf } from './shapes/told.ts'
export type { VisibleParts } from './sight.ts'
export { siteWith } from './site.ts'
export { statusOfCrawl } from './status.ts'
export { visibleTo } from './visible-catalogues.ts'
export { type VisibilityParts, visibilityFor, visibleToUser } from './visible-to-user.ts'
export { wholeEntry } from './whole-entry.ts'
export { pushedFeeds, wholeFeed } from './whole-feed.ts'
