/** Entries of Miniflux's API as responses, for each resource that has entries. */
import type { Context } from 'hono'
import type { EntryId, FeedId, UserId } from '../../../model/index.ts'
import type { SubscriptionScope } from '../../../ports/index.ts'
import { Problem } from '../../problem.ts'
import { type Form, formIn, wholeField } from '../form.ts'
import type { ReaderItem } from '../reader-adapter.ts'
import { currentReader } from '../reader-auth.ts'
import { idIn } from './body.ts'
import { type EntryListParts, listedIds, listedItems, MAX_COLLECTED } from './entry-list.ts'
import { entryQueryIn, readIn, starredIn } from './entry-query.ts'
import { minifluxEntryShape } from './shapes.ts'

export interface EntryPages {
  /** Entries of the feed or category in the path; the query may name others. */
  list(c: Context, of?: { feed?: number; category?: number }): Promise<Response>
  /** Only the ids of entries, newest first. */
  listIds(c: Context): Promise<Response>
  /** The entry whose id is in the path, by the name of that parameter, if its feed fits. */
  show(c: Context, name: string, fits?: (feed: { feedId: FeedId; folder: string }) => boolean): Promise<Response>
  item(c: Context, name: string): Promise<ReaderItem>
}

export function createEntryPages(parts: EntryListParts): EntryPages {
  const { adapter, readerState } = parts

  async function shapes(c: Context, items: ReaderItem[]) {
    const { userId } = currentReader(c)
    const feeds = await adapter.feedsById(userId, [...new Set(items.map(({ feedId }) => feedId))])
    const context = { userId, numberOf: await adapter.folders.numbersOf(userId) }
    return items.map((item) => minifluxEntryShape(item, feeds.get(item.feedId), context))
  }

  async function item(c: Context, name: string): Promise<ReaderItem> {
    const [found] = await adapter.loadItems(currentReader(c).userId, [idIn(c, name) as EntryId])
    if (!found) throw new Problem(404, 'there is no such entry', 'it may have been removed meanwhile')
    return found
  }

  async function scopeIn(
    form: Form,
    userId: UserId,
    of: { feed?: number; category?: number },
  ): Promise<SubscriptionScope> {
    const feed = wholeField(form, 'feed_id', 0, Number.MAX_SAFE_INTEGER) || of.feed
    const category = wholeField(form, 'category_id', 0, Number.MAX_SAFE_INTEGER) || of.category
    const folder = category === undefined ? undefined : await adapter.folders.withNumber(userId, category)
    if (category !== undefined && folder === undefined)
      throw new Problem(400, `there is no category ${category}`, 'see GET /v1/categories')
    if (feed === undefined) return folder === undefined ? {} : adapter.folders.scopeOf(userId, folder)
    const [subscription] = await readerState.subscriptionsTo(userId, [feed as FeedId])
    if (!subscription) throw new Problem(400, `you do not follow feed ${feed}`, 'see GET /v1/feeds')
    const isWithin = folder === undefined || folder === (subscription.folder ?? '')
    return { feedIds: isWithin ? [subscription.feedId] : [] }
  }

  return {
    async list(c, of = {}) {
      const { userId } = currentReader(c)
      const form = await formIn(c)
      const query = entryQueryIn(form)
      const { total, items } = await listedItems(parts, userId, await scopeIn(form, userId, of), query)
      return c.json({ total, entries: await shapes(c, items) })
    },

    async listIds(c) {
      const form = await formIn(c)
      const filter = { ...readIn(form), ...starredIn(form) }
      if (form.has('starred') && filter.starred === undefined)
        throw new Problem(400, 'invalid starred', 'send true or false')
      const limit = wholeField(form, 'limit', MAX_COLLECTED, MAX_COLLECTED) || MAX_COLLECTED
      const offset = wholeField(form, 'offset', 0, 5 * MAX_COLLECTED)
      const query = { ...filter, order: 'id', isAscending: false, limit, offset } as const
      const { total, ids } = await listedIds(parts, currentReader(c).userId, {}, { ...query, tags: [] })
      return c.json({ total, entry_ids: ids })
    },

    async show(c, name, fits = () => true) {
      const found = await item(c, name)
      const { feedId } = found
      const feed = (await adapter.feedsById(currentReader(c).userId, [feedId])).get(feedId)
      if (!fits({ feedId, folder: feed?.folder ?? '' }))
        throw new Problem(404, 'there is no such entry', 'it belongs to another feed')
      const [shape] = await shapes(c, [found])
      return c.json(shape)
    },
    item,
  }
}
