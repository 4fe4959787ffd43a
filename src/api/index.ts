/**
 * The HTTP API as it is described: the operations, and the schemas of what is sent and answered. The server answers by them, the
 * views give the shapes that they infer, the client is typed by them, and `/api/openapi.json` is made of them. Its own words:
 *
 * - operation:  one method on one path, with its name, who may use it, what it takes and what it answers
 * - schema:     what JSON has to be like; its type is a *shape*
 * - scope:      what a token allows: read, write, admin
 * - cursor:     where a list goes on, given by the answer before as `next`
 */

export type { TokenScope } from './operation.ts'
export { OPERATIONS, type Operations } from './operations.ts'
export type { ArticleShape, EntryArticleShape } from './schemas/article.ts'
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
export type { ArticleLineShape, EntryDetailsShape, EntryShape, FoundEntryShape, HitsShape } from './schemas/entry.ts'
export type { FeedDetailsShape, FeedShape, PushShape } from './schemas/feed.ts'
export type { FleetMemberShape } from './schemas/fleet-member.ts'
export type {
  FollowerShape,
  GroupShape,
  GroupsOfEntryShape,
  LineageShape,
  MemberShape,
  MoveShape,
} from './schemas/group.ts'
export type { HubShape } from './schemas/hub.ts'
export type { PollShape } from './schemas/poll.ts'
export type { GoalsShape } from './schemas/polling-goals.ts'
export type { FollowedFeedShape, PendingSubscriptionShape } from './schemas/read-state.ts'
export type { RoundsShape } from './schemas/rounds.ts'
export type { FeedOutOfShape, FeedOutShape, SavedSearchShape, WebhookShape } from './schemas/sharing.ts'
export type { SourceShape, SubscriptionShape } from './schemas/source.ts'
export type { HourShape, StatisticsShape } from './schemas/statistics.ts'
export type {
  ActivityShape,
  DiskUsageShape,
  HostShape,
  StatusShape,
} from './schemas/status.ts'
export type { GroupEventShape, PollEventShape, TroubleEventShape } from './schemas/stream.ts'
export type { ProblemShape, TroubleShape } from './schemas/trouble.ts'
export type { TokenShape, UserShape } from './schemas/user.ts'
