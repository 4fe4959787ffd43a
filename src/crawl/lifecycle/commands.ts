/** What people ask of a crawl, also while it runs: each changes the store, and wakes whoever has something to do then. */
import type { Feed, FeedId, Instant, ValidatorTrust, WebAddress } from '../../model/index.ts'
import type { Catalogue, Clock, Lines, People, Readership, Subscriptions } from '../../ports/index.ts'
import type { Crawler } from '../crawler.ts'
import type { Grouping } from '../grouping/similarity-indexes.ts'
import type { ArticlePolicy } from '../recorder/articles-to-fetch.ts'
import { afterPreference } from '../recorder/full-text-setting.ts'
import { endsOf, movedTo } from '../recorder/redirected-feed.ts'
import { hurry, hurryOne, underStrategy } from '../recorder/reschedule.ts'
import type { Budget } from '../scheduler/budget.ts'
import { earliestPollAt, HAND_POLL_GAP_MS } from '../scheduler/earliest-poll.ts'
import { createReaderCommands } from './followers.ts'
import { subscribe } from './subscribe.ts'

export type CrawlCommands = Omit<Crawler, 'activity' | 'onEvent' | 'pushReceiver'>

export interface CommandsParts extends Pick<Grouping, 'groupWindowMs'> {
  catalogue: Catalogue
  subscriptions: Subscriptions
  lines: Lines
  readership: Readership
  people: People
  clock: Clock
  strategy: string
  articles?: ArticlePolicy
  budget: Budget
  /** Whoever looks after a feed: here, or in another process. */
  controller: {
    askedFor(id: FeedId, feed?: Feed): void
    freeAt(url: WebAddress, now: Instant): Instant | Promise<Instant>
  }
  /** There may be something to do at once; for this feed, or for any. */
  wake: (feed?: Feed) => void
  /** There is something to index, to place or to sweep out. */
  newsCame: () => void
}

/** Any feed pays the same price. */
const NOBODY = { subscribers: 1 }
const MUCH_CHEAPER = 1.5

export function createCommands(parts: CommandsParts): CrawlCommands {
  const { catalogue, subscriptions, readership, people, lines, clock, budget, controller, wake, newsCame } = parts

  async function hurryById(id: FeedId): Promise<void> {
    const [held] = await catalogue.feedsById([id])
    if (held?.feed.state === 'active') await hurryOne(subscriptions, held, budget.terms(held.feed))
  }

  const edit: Crawler['edit'] = async (id, edit) => {
    const { title, folder, titlePrefix, name, category, strategy, url, credentials, wants, subscribers, articles } =
      edit
    const [namesake] = name ? await catalogue.feeds({ name, order: 'id', limit: 1 }) : []
    if (name && namesake && namesake.feed.id !== id) return { by: namesake.feed, name }
    const takenBy = url === undefined ? undefined : await catalogue.feedAt(url)
    const [other] = takenBy === undefined || takenBy === id ? [] : await catalogue.feedsById([takenBy])
    if (other) return { by: other.feed }
    const isElsewhere = url !== undefined || credentials !== undefined // to its server, who asks is somebody else
    if (isElsewhere) controller.askedFor(id)
    await budget.begin()
    const [held] = await catalogue.feedsById([id])
    const under =
      held && strategy !== undefined && (await underStrategy(parts, held, strategy, budget.terms(held.feed)))
    // Of several users each calls it as they like; what freshet.toml lists is called so for all.
    const isForAll = held?.feed.listed === true || (await people.people()).length <= 1
    const found = await subscriptions.changeFeed(
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
        ...(held && url !== undefined && { ...movedTo(held.feed, url), ...endsOf(undefined), successorUrl: null }),
        ...(credentials !== undefined && { credentials }),
        ...(isElsewhere && { validators: {}, bodyHash: null, windowHash: null }),
      },
      {
        ...under,
        ...(isElsewhere && { dueAt: clock.now(), trust: unproven(clock.now()) }),
      },
    )
    // What the crawl calls it, and where, is what the first person does.
    if (found && (title !== undefined || folder !== undefined))
      await readership.changeReading(await people.firstPerson(), id, {
        ...(title !== undefined && { title: title || null }),
        ...(folder !== undefined && { folder: folder || null }),
      })
    if (wants) await hurryById(id)
    if (articles !== undefined) await afterPreference(parts, id, parts.articles, clock.now())
    wake()
    return found
  }

  const removed = () => {
    newsCame()
    wake()
  }

  return {
    async subscribe(addresses, how) {
      const subscribed = await subscribe(addresses, parts, how)
      wake()
      return subscribed
    },
    async pollNow(id) {
      const [held] = await catalogue.feedsById([id])
      if (!held) return undefined
      const { feed, schedule } = held
      if (feed.state !== 'active') return { dueAt: schedule.dueAt, why: `the feed is ${feed.state}; resume it first` }
      const now = clock.now()
      const gapOverAt = (schedule.polledAt ?? Number.NEGATIVE_INFINITY) + HAND_POLL_GAP_MS
      const earliest = Math.max(earliestPollAt(schedule, HAND_POLL_GAP_MS, now), await controller.freeAt(feed.url, now))
      controller.askedFor(id, feed) // before it is due: who looks for what is due meanwhile must know
      const because = { by: 'asked' as const, price: budget.terms(feed).price }
      await subscriptions.changeFeed(id, {}, { dueAt: earliest, because })
      wake(feed)
      if (earliest === now) return { dueAt: now }
      return {
        dueAt: earliest,
        why: earliest === gapOverAt ? 'it was polled a moment ago' : 'its server is backing off',
      }
    },
    edit,
    ...createReaderCommands(parts, edit, removed),
    async want(folder, wants) {
      await budget.begin()
      await budget.want(folder, wants)
      await hurry(parts, budget, folder)
      wake()
    },
    async nameBudget(pollsPerDay) {
      await budget.begin()
      const before = budget.terms(NOBODY).price
      await budget.name(pollsPerDay, clock.now())
      // Dates that were set when polls were dearer are too late now.
      if (budget.terms(NOBODY).price * MUCH_CHEAPER < before) await hurry(parts, budget)
      wake()
    },
    async placeAgain() {
      const waiting = await lines.placeAgain(clock.now() - parts.groupWindowMs)
      newsCame()
      return waiting
    },
    pause: (id) => subscriptions.changeFeed(id, { state: 'paused' }),
    async resume(id) {
      const found = await subscriptions.changeFeed(id, { state: 'active' })
      wake()
      return found
    },
    async remove(id) {
      const found = await subscriptions.removeFeed(id)
      removed()
      return found
    },
    removeSource: (id) => subscriptions.removeSource(id),
  }
}

/** Whatever the server at the old address did, the new one begins with our trust. */
function unproven(at: Instant): ValidatorTrust {
  return { trust: 'honest', bodyAt: at, quiet: 0, doubts: 0, repeats: 0 }
}
