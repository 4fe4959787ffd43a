/** Subscriptions in the Google Reader API: listing, exporting, adding, editing and removing them. */
import { Hono } from 'hono'
import type { FollowedFeed } from '../../../model/index.ts'
import type { LoggedChange } from '../../change-log.ts'
import { Problem } from '../../problem.ts'
import { type AddressParts, publicBase } from '../../public-address.ts'
import type { AuthenticatedParts } from '../../server-parts.ts'
import { formIn } from '../form.ts'
import { iconPathsFor } from '../icon-addresses.ts'
import type { ReaderAdapter } from '../reader-adapter.ts'
import { changeMadeBy, currentReader, requireWrite } from '../reader-auth.ts'
import type { ActionTokens } from './action-tokens.ts'
import { folderOfLabel, LABEL, parseFeedStream } from './stream-page.ts'

interface SubscriptionParts extends Pick<AuthenticatedParts, 'catalogue' | 'crawler' | 'users'>, AddressParts {
  adapter: ReaderAdapter
  onChange: (change: LoggedChange) => void
  actionTokens: ActionTokens
}

export function googleSubscriptionRoutes(parts: SubscriptionParts): Hono {
  const { adapter, catalogue, crawler, users, onChange, actionTokens } = parts
  const app = new Hono()

  app.get('/list', async (c) => {
    const base = publicBase(c, parts)
    const { userId } = currentReader(c)
    const around = { before: '{"subscriptions":', after: '}' }
    const iconPath = await iconPathsFor(users, userId)
    const shapeOf = (feed: FollowedFeed) => subscriptionShape(feed, base + iconPath(feed.feedId))
    return c.body(await adapter.subscriptionsJson(userId, shapeOf, around), 200, { 'content-type': 'application/json' })
  })

  app.get('/export', async (c) =>
    c.body(await adapter.opml(currentReader(c).userId), 200, { 'content-type': 'text/x-opml; charset=utf-8' }),
  )

  app.post('/edit', async (c) => {
    const reader = requireWrite(c)
    const { userId } = reader
    const form = await formIn(c)
    const action = form.get('ac') ?? ''
    const titles = form.all('t')
    const folder = form
      .all('a')
      .map(folderOfLabel)
      .find((label) => label !== undefined)
    const leavesFolder = form.all('r').some((label) => folderOfLabel(label) !== undefined)
    for (const [i, stream] of form.all('s').entries()) {
      if (!stream.startsWith('feed/')) throw new Problem(400, `${stream.slice(0, 60)} is not a feed`, 'send s=feed/…')
      const feedId = await parseFeedStream(stream, catalogue)
      onChange(changeMadeBy(reader, `googleReader.${action || 'edit'}`, stream.slice(0, 200)))
      switch (action) {
        case 'subscribe': {
          const url = stream.slice('feed/'.length)
          await adapter.subscribe(userId, { url, title: titles[i], folder }, c.req.raw.signal)
          break
        }
        case 'unsubscribe':
          if (feedId !== undefined) await crawler.unsubscribe(userId, [{ feedId }])
          break
        case 'edit': {
          const change = {
            ...(titles[i] !== undefined && { title: titles[i] || null }),
            ...(folder !== undefined ? { folder } : leavesFolder && { folder: null }),
          }
          if (feedId === undefined || !(await crawler.editSubscription(userId, feedId, change)))
            throw new Problem(404, `you do not follow ${stream.slice(0, 60)}`, 'subscribe to it first')
          break
        }
        default:
          throw new Problem(400, 'invalid ac', 'send ac=subscribe, unsubscribe or edit')
      }
    }
    return c.text('OK')
  })

  app.on(['GET', 'POST'], '/quickadd', async (c) => {
    const reader = requireWrite(c)
    const form = await formIn(c)
    // Some clients send it as GET, which any page can make a browser do.
    if (c.req.method !== 'POST' && !(await actionTokens.isOwn(c, form.get('T'))))
      throw new Problem(403, 'quickadd by GET needs a token', 'send POST, or T with the token from /reader/api/0/token')
    const url = (form.get('quickadd') ?? '').replace(/^feed\//, '')
    const feedId = await adapter.subscribe(reader.userId, { url }, c.req.raw.signal)
    onChange(changeMadeBy(reader, 'googleReader.quickadd'))
    if (feedId === undefined) return c.json({ query: url, numResults: 0 })
    const [scheduled] = await catalogue.feedsById([feedId])
    return c.json({ query: url, numResults: 1, streamId: `feed/${feedId}`, streamName: scheduled?.feed.title || url })
  })
  return app
}

function subscriptionShape({ feedId, shownTitle, folder, url, siteUrl, feedAddedAt }: FollowedFeed, iconUrl: string) {
  return {
    id: `feed/${feedId}`,
    title: shownTitle,
    categories: folder ? [{ id: LABEL + folder, label: folder }] : [],
    url,
    htmlUrl: siteUrl ?? url,
    iconUrl,
    firstitemmsec: String(feedAddedAt),
    sortid: feedId.toString(16).padStart(8, '0').toUpperCase(),
  }
}
