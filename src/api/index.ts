/**
 * Definition of the HTTP API: operations, and schemas of requests and responses. The server, the views and the client are typed by them,
 * and `/api/openapi.json` is generated from them. Terms:
 *
 * - operation:  one method on one path, with its id, required scope, parameters and responses
 * - schema:     a JSON schema; the type inferred from it is a *shape*
 * - scope:      the access of a token or user: read, write, admin
 * - cursor:     the position at which a list continues, returned by the previous page as `next`
 */

export type { TokenScope } from './operation.ts'
export { OPERATIONS, type Operations } from './operations.ts'
export type { ArticleShape, EntryArticleShape, MissingTextReason, MissingTextShape } from './schemas/article.ts'
export type { BudgetShape } from './schemas/budget.ts'
export type {
  BacktestShape,
  CandidateShape,
  DelaysShape,
  KnownHostShape,
  PreviewShape,
  SettingShape,
  SiteShape,
} from './schemas/dashboard.ts'
export type { DestinationShape, PresetShape, SendAttemptShape, SendShape } from './schemas/destination.ts'
export type { ArticleLineShape, EntryDetailsShape, EntryShape, FoundEntryShape, HitsShape } from './schemas/entry.ts'
export type { FeedDetailsShape, FeedShape, PushShape } from './schemas/feed.ts'
export type { ExtractionPreviewShape, FetchSettingsInput, FetchSettingsShape } from './schemas/fetch-settings.ts'
export type { FleetMemberShape } from './schemas/fleet-member.ts'
export type {
  ForYouShape,
  InteractionShape,
  LearnedShape,
  RankedEntryShape,
  RankingComparisonShape,
  ReasonShape,
} from './schemas/for-you.ts'
export type {
  FollowerShape,
  GroupShape,
  GroupsOfEntryShape,
  LineageShape,
  MemberShape,
  MoveShape,
} from './schemas/group.ts'
export type { HubShape } from './schemas/hub.ts'
export type { NotificationsShape, PushDeviceShape } from './schemas/notifications.ts'
export type { PlaybackShape } from './schemas/playback.ts'
export type { PollShape } from './schemas/poll.ts'
export type { GoalsShape } from './schemas/polling-goals.ts'
export type { FollowedFeedDetailsShape, FollowedFeedShape, PendingSubscriptionShape } from './schemas/read-state.ts'
export type { ImportedFeedShape, ReaderImportShape } from './schemas/reader-import.ts'
export type { ChaptersShape } from './schemas/recording.ts'
export type { RoundsShape } from './schemas/rounds.ts'
export type { RuleInput, RuleShape } from './schemas/rule.ts'
export type { FeedOutOfShape, FeedOutShape, SavedSearchShape, WebhookShape } from './schemas/sharing.ts'
export type {
  AccountShape,
  CredentialOptionsShape,
  IdentityShape,
  PasskeyShape,
  SignInWaysShape,
  UserSessionShape,
} from './schemas/sign-in.ts'
export type { SourceShape, SubscriptionShape } from './schemas/source.ts'
export type { HourShape, StatisticsShape } from './schemas/statistics.ts'
export type {
  ActivityShape,
  DiskUsageShape,
  HostShape,
  StatusShape,
} from './schemas/status.ts'
export type { ArticleEventShape, GroupEventShape, PollEventShape, TroubleEventShape } from './schemas/stream.ts'
export type { SuggestionsShape } from './schemas/suggestions.ts'
export type { ProblemShape, TroubleShape } from './schemas/trouble.ts'
export type { CallerShape, TokenShape, UserShape } from './schemas/user.ts'
