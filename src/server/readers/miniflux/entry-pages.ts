/** Entries of Miniflux's API as responses, for each resource that has entries. */
import type { Context } from 'hono'
import type { EntryId } from '../../../model/index.ts'
import type { SubscriptionScope } from '../../../ports/index.ts'
import { Problem } from '../../problem.ts'
import { formIn } from '../form.ts'
import type { ReaderItem } from '../reader-adapter.ts'
import { currentReader } from '../reader-auth.ts'
import { idIn } from './body.ts'
import { type EntryListParts, listedItems } from './entry-list.ts'
import { minifluxEntryShape } from './shapes.ts'

export interface EntryPages {
  list(c: Context, scope: SubscriptionScope): Promise<Response>
  /** The entry whose id is in the path, by the name of that parameter. */
  show(c: Context, name: string): Promise<Response>
  item(c: Context, name: string): Promise<ReaderItem>
}

export function createEntryPages(parts: EntryListParts): EntryPages {
  const { adapter } = parts

  async function shapes(c: Context, items: ReaderItem[]) {
    const { userId } = currentReader(c)
    const feeds = await adapter.feedsById(userId, [...new Set(items.map(({ feedId }) => feedId))])
    return items.map((item) => minifluxEntryShape(item, feeds.get(item.feedId), userId))
  }

  async function item(c: Context, name: string): Promise<ReaderItem> {
    const [found] = await adapter.loadItems(currentReader(c).userId, [idIn(c, name) as EntryId])
    if (!found) throw new Problem(404, 'there is no such entry', 'it may have been removed meanwhile')
    return found
  }

  return {
    async list(c, scope) {
      const { total, items } = await listedItems(parts, currentReader(c).userId, scope, await formIn(c))
      return c.json({ total, entries: await shapes(c, items) })
    },
    async show(c, name) {
      const [shape] = await shapes(c, [await item(c, name)])
      return c.json(shape)
    },
    item,
  }
}
