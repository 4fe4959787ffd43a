/** Where subscriptions at hubs are kept. There are no leases: who asks a hub first moves the date on which it is due. */
import type { FeedId, Instant, Push } from '../model/index.ts'

export interface PushStore {
  pushByToken(token: string): Promise<Push | undefined>
  /** In the order of `ids`; undefined where a feed has none. One that is ending belongs to no feed any more. */
  pushesOf(ids: FeedId[]): Promise<(Push | undefined)[]>
  /** Due at `now`, longest due first; the same again until their date is another. */
  duePushes(now: Instant, limit: number): Promise<Push[]>
  nextPushAt(): Promise<Instant | undefined>
  /** Each takes the place of the one with its token, if there is one. */
  recordPushes(pushes: Push[]): Promise<void>
  dropPushes(tokens: string[]): Promise<void>
}
