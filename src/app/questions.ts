/**
 * What the command line may look up, in the shapes of the API: found in the store itself, or asked of a server elsewhere. Whoever asks
 * need not know which; lists come whole, however many pages they were.
 */
import type {
  ActivityShape,
  EntryShape,
  FeedShape,
  GoalsShape,
  GroupShape,
  GroupsOfEntryShape,
  HitsShape,
  HourShape,
  HubShape,
  LineageShape,
  MemberShape,
  RoundsShape,
  StatisticsShape,
  StoreStatusShape,
  WholeEntryShape,
  WholeFeedShape,
} from '../api/index.ts'
import type { GroupLevel, Instant } from '../model/index.ts'
import type { Exported } from '../views/index.ts'
import type { ReadableArticle, StoredReadableArticle } from './readable-article.ts'

interface FeedsAsked {
  text?: string
  folder?: string
  category?: string
  name?: string
  troubled?: true
  state?: 'paused'
  order: 'id' | 'due'
  limit: number
}

export interface EntriesAsked {
  /** What is searched for. */
  q?: string
  sort?: 'relevance' | 'date'
  feedId?: number
  folder?: string
  category?: string
  language?: string
  since?: Instant
  until?: Instant
  unique: GroupLevel | 'none'
  unread?: true
  starred?: true
  limit: number
}

interface GroupsAsked {
  level: GroupLevel
  order: 'recent' | 'large'
  since: Instant
  leastSize: number
  limit: number
}

export interface LinesAsked {
  feedId?: number
  since?: Instant
  unique?: GroupLevel
}

export interface HoursAsked {
  feedId?: number
  /** Of feeds. */
  category?: string
  folder?: string
  since?: Instant
}

export interface Questions {
  /** What is looked at: the path of a file, or the address of a server. */
  place: string
  isFar: boolean
  feeds(asked: FeedsAsked): Promise<FeedShape[]>
  feedWith(id: number): Promise<FeedShape | undefined>
  feedAt(address: string): Promise<FeedShape | undefined>
  /** `most`: of polls and of entries. */
  wholeFeed(id: number, most: number): Promise<WholeFeedShape | undefined>
  /** M, T and ToE over time; of `most` points. */
  rounds(id: number, most: number): Promise<RoundsShape | undefined>
  /** `hits`: of a search. */
  entries(asked: EntriesAsked): Promise<{ entries: EntryShape[]; hits?: HitsShape }>
  wholeEntry(id: number): Promise<WholeEntryShape | undefined>
  groupsOfEntry(id: number): Promise<GroupsOfEntryShape | undefined>
  copiesOf(entryId: number): Promise<LineageShape | undefined>
  groups(asked: GroupsAsked): Promise<GroupShape[]>
  group(id: number): Promise<{ group: GroupShape; members: MemberShape[]; more: boolean } | undefined>
  /** Of each list there are `most` at most. `activity`: of the crawl that runs, if one does and can be asked. */
  standing(most: number): Promise<StoreStatusShape & { activity?: ActivityShape }>
  counts(): Promise<StoreStatusShape['counts']>
  statistics(since: Instant): Promise<StatisticsShape>
  hubs(): Promise<HubShape[]>
  goals(): Promise<GoalsShape>
  folders(): Promise<string[]>
  /** One JSON object a line. */
  lines(what: Exported, asked: LinesAsked): AsyncIterable<string>
  hours(asked: HoursAsked): AsyncIterable<HourShape>
  opml(withPasswords: boolean): Promise<string>
  readableEntry(id: number): Promise<ReadableArticle | undefined>
  readables(what: 'articles' | 'entries', asked: LinesAsked): AsyncIterable<StoredReadableArticle>
  close(): Promise<void>
}
