/** Commands of users, also while the crawl runs: each changes the store and wakes the controller that has work to do then. */
import type { Feed, FeedId, Instant, Schedule, ValidatorTrust, WebAddress } from '../../model/index.ts'
import type {
  ArticleCatalogue,
  Catalogue,
  Clock,
  FeedRegistry,
  PendingWork,
  PollResults,
  ReaderState,
  Users,
} from '../../ports/index.ts'
import type { Crawler, FeedEdit } from '../crawler.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import type { ArticlePolicy } from '../recorder/articles-to-fetch.ts'
import { applyFullTextSetting } from '../recorder/full-text-setting.ts'
import { movedTo, redirectTargetsChange } from '../recorder/redirected-feed.ts'
import { requestArticle } from '../recorder/request-article.ts'
import { rescheduleFeedSooner, rescheduleSooner, withStrategy } from '../recorder/reschedule.ts'
import type { Budget } from '../scheduler/budget.ts'
import { earliestPollAt, USER_POLL_GAP_MS } from '../scheduler/earliest-poll.ts'
import { createFollowerCommands } from './followers.ts'
import { importEntries } from './import-entries.ts'
import { subscribe } from './subscribe.ts'

export type CrawlCommands = Omit<Crawler, 'activity' | 'onEvent' | 'pushReceiver'>

export interface CommandsParts extends Pick<Grouping, 'groupWindowMs'> {
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  feedRegistry: FeedRegistry
  pollResults: PollResults
  pendingWork: PendingWork
  readerState: ReaderState
  users: Users
  clock: Clock
  strategy: string
  articles?: ArticlePolicy
  budget: Budget
  /** The controller that owns a feed, here or in another process. */
  controller: {
    noteUserRequest(id: FeedId, feed?: Feed): void
    freeAt(url: WebAddress, now: Instant): Instant | Promise<Instant>
  }
  /** Wakes the controller of this feed, or all controllers. */
  wake: (feed?: Feed) => void
  /** There is something to index, group or clean up. */
  notifyBackgroundLoop: () => void
}

/** For reading the price, which is the same for every feed. */
const ANY_FEED = { subscribers: 1 }
const LARGE_PRICE_DROP = 1.5

export function createCommands(parts: CommandsParts): CrawlCommands {
  const {
    catalogue,
    feedRegistry,
    readerState,
    users,
    pendingWork,
    clock,
    budget,
    controller,
    wake,
    notifyBackgroundLoop,
  } = parts

  async function rescheduleFeed(id: FeedId): Promise<void> {
    const [stored] = await catalogue.feedsById([id])
    if (stored?.feed.state === 'active') await rescheduleFeedSooner(feedRegistry, stored, budget.terms(stored.feed))
  }

  const edit: Crawler['edit'] = async (id, edit) => {
    const { title, folder, titlePrefix, name, category, strategy, url, credentials, fetching, wants } = edit
    const { subscribers, articles } = edit
    const [sameName] = name ? await catalogue.feeds({ name, order: 'id', limit: 1 }) : []
    if (name && sameName && sameName.feed.id !== id) return { by: sameName.feed, name }
    const existingId = url === undefined ? undefined : await catalogue.feedAt(url)
    const [other] = existingId === undefined || existingId === id ? [] : await catalogue.feedsById([existingId])
    if (other) return { by: other.feed }
    const changesServer = [url, credentials, fetching].some((one) => one !== undefined) // or how its document is read
    if (changesServer) controller.noteUserRequest(id)
    await budget.begin()
    const [stored] = await catalogue.feedsById([id])
    const newSchedule =
      stored && strategy !== undefined && (await withStrategy(parts, stored, strategy, budget.terms(stored.feed)))
    // Several users have titles and folders of their own; those of a feed listed in freshet.toml apply to all.
    const isForAll = stored?.feed.listed === true || (await users.allUsers()).length <= 1
    const found = await feedRegistry.changeFeed(
      id,
      {
        ...(isForAll && title !== undefined && { title }),
        ...(subscribers !== undefined && { subscribers }),
        ...(isForAll && folder !== undefined && { folder: folder || null }),
        ...(titlePrefix !== undefined && { titlePrefix: titlePrefix || null }),
        ...(name !== undefined && { name: name || null }),
        ...(category !== undefined && { ownCategory: category || null }),
        ...(articles !== undefined && { articles: articles || null }),
        ...(wants && { wants: Object.keys(wants).length > 0 ? wants : null }),
        ...(stored &&
          url !== undefined && {
            ...movedTo(stored.feed, url),
            ...redirectTargetsChange(undefined),
            successorUrl: null,
          }),
        ...(credentials !== undefined && { credentials }),
        ...(fetching !== undefined && { ...redirectTargetsChange(undefined), fetching }),
        ...(changesServer && { validators: {}, bodyHash: null, windowHash: null }),
      },
      {
        ...newSchedule,
        ...(changesServer && {
          dueAt: dueAfterEdit(stored?.schedule, edit, clock.now()),
          trust: initialTrust(clock.now()),
        }),
      },
    )
    // The crawl's title and folder are those of the first user.
    if (found && (title !== undefined || folder !== undefined))
      await readerState.changeSubscription(await users.firstUser(), id, {
        ...(title !== undefined && { title: title || null }),
        ...(folder !== undefined && { folder: folder || null }),
      })
    if (wants) await rescheduleFeed(id)
    if (articles !== undefined) await applyFullTextSetting(parts, id, parts.articles, clock.now())
    wake()
    return found
  }

  const afterRemoval = () => {
    notifyBackgroundLoop()
    wake()
  }

  return {
    async subscribe(addresses, how) {
      const subscribed = await subscribe(addresses, parts, how)
      wake()
      return subscribed
    },
    async importEntries(userId, feedId, entries, how) {
      const imported = await importEntries(userId, feedId, entries, how, parts)
      if (imported.created.length + imported.waiting > 0) notifyBackgroundLoop()
      return imported
    },
    async pollNow(id) {
      const [stored] = await catalogue.feedsById([id])
      if (!stored) return undefined
      const { feed, schedule } = stored
      if (feed.state !== 'active') return { dueAt: schedule.dueAt, why: `the feed is ${feed.state}; resume it first` }
      const now = clock.now()
      const gapOverAt = (schedule.polledAt ?? Number.NEGATIVE_INFINITY) + USER_POLL_GAP_MS
      const earliest = Math.max(earliestPollAt(schedule, USER_POLL_GAP_MS, now), await controller.freeAt(feed.url, now))
      controller.noteUserRequest(id, feed) // before it becomes due, because a tick may run in between
      const because = { by: 'requested' as const, price: budget.terms(feed).price }
      await feedRegistry.changeFeed(id, {}, { dueAt: earliest, because })
      wake(feed)
      if (earliest === now) return { dueAt: now }
      return {
        dueAt: earliest,
        why: earliest === gapOverAt ? 'it was polled a moment ago' : 'its server is backing off',
      }
    },
    async requestArticle(id) {
      const result = await requestArticle(id, parts, controller.freeAt, clock.now())
      if (result?.kind === 'queued') wake()
      return result
    },
    edit,
    ...createFollowerCommands(parts, edit, afterRemoval),
    async setFolderPreferences(folder, wants) {
      await budget.begin()
      await budget.setFolderPreferences(folder, wants)
      await rescheduleSooner(parts, budget, folder)
      wake()
    },
    async setBudget(pollsPerDay) {
      await budget.begin()
      const before = budget.terms(ANY_FEED).price
      await budget.setPollsPerDay(pollsPerDay, clock.now())
      // Due times that were set at a higher price are too late now.
      if (budget.terms(ANY_FEED).price * LARGE_PRICE_DROP < before) await rescheduleSooner(parts, budget)
      wake()
    },
    async regroupEntries() {
      const waiting = await pendingWork.regroupSince(clock.now() - parts.groupWindowMs)
      notifyBackgroundLoop()
      return waiting
    },
    pause: (id) => feedRegistry.changeFeed(id, { state: 'paused' }),
    async resume(id) {
      const found = await feedRegistry.changeFeed(id, { state: 'active' })
      wake()
      return found
    },
    async remove(id) {
      const found = await feedRegistry.removeFeed(id)
      afterRemoval()
      return found
    },
    removeSource: (id) => feedRegistry.removeSource(id),
  }
}

/** A new address or login may be another server's or account's; other settings do not shorten what its server asked for. */
function dueAfterEdit(schedule: Schedule | undefined, { url, credentials }: FeedEdit, now: Instant): Instant {
  const isOther = url !== undefined || credentials !== undefined || schedule === undefined
  return isOther ? now : earliestPollAt(schedule, USER_POLL_GAP_MS, now)
}

/** The server at a new address starts trusted, whatever the old one did. */
function initialTrust(at: Instant): ValidatorTrust {
  return { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
}
