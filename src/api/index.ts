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
} from './schemas/engine.ts'
export type { ArticleLineShape, EntryShape, FoundEntryShape, HitsShape, WholeEntryShape } from './schemas/entry.ts'
export type { FeedShape, PushShape, WholeFeedShape } from './schemas/feed.ts'
export type { FleetMemberShape } from './schemas/fleet-member.ts'
export type {
  FollowerShape,
  GroupShape,
  GroupsOfEntryShape,
  LineageShape,
  MemberShape,
  MoveShape,
} from './schemas/group.ts'
export type { FeedOutOfShape, FeedOutShape, SavedSearchShape, WebhookShape } from './schemas/handout.ts'
export type { HubShape } from './schemas/hub.ts'
export type { PersonShape, TokenShape } from './schemas/person.ts'
export type { PollShape } from './schemas/poll.ts'
export type { FollowedShape, WaitingShape } from './schemas/reading.ts'
export type { RoundsShape } from './schemas/rounds.ts'
export type { SourceShape, SubscriptionShape } from './schemas/source.ts'
export type { HourShape, StatisticsShape } from './schemas/statistics.ts'
export type {
  ActivityShape,
  DiskUsageShape,
  HostShape,
  StatusShape,
} from './schemas/status.ts'
export type { ToldPlaceShape, ToldPollShape, ToldTroubleShape } from './schemas/stream.ts'
export type { ProblemShape, TroubleShape } from './schemas/trouble.ts'
export type { GoalsShape } from './schemas/wants.ts'
