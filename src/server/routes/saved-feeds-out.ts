/** Outgoing feeds saved by users, at secret addresses: `/feeds/out/SECRET.rss`, `.atom`, `.json`. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type FeedOutOfShape, OPERATIONS } from '../../api/index.ts'
import { newSecret } from '../../credentials/index.ts'
import type { FeedId, FeedOut, FeedOutId, FeedOutOf, SavedSearchId, UserId } from '../../model/index.ts'
import { includesScope } from '../../model/index.ts'
import { feedOutQuery, feedOutShape, omitUndefined, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { answerWithFeed, answerWithItems, formatIn } from '../feeds-out/answer-feed-out.ts'
import { digestFeed } from '../feeds-out/digest-feed.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Per user. */
const MAX_FEEDS = 500

export function savedFeedOutRoutes(parts: ServerParts): OpenAPIHono {
  const { sharing, users, clock, hub } = parts
  const app = validatedRoutes()

  /** Throws a Problem unless the target exists and the user can see it. */
  async function parseTarget(of: FeedOutOfShape, userId: UserId): Promise<FeedOutOf> {
    if (of.kind === 'search') {
      const ownItems = await sharing.sharedItems('search', userId)
      if (!ownItems.some(({ id }) => id === of.search)) throw missingProblem('search', of.search)
      return { kind: 'search', searchId: of.search as SavedSearchId }
    }
    if (of.kind === 'feed') {
      const { catalogue } = await visibleToUser(userId, parts)
      const [scheduled] = await catalogue.feedsById([of.feed as FeedId])
      if (!scheduled) throw missingProblem('feed', of.feed)
      return { kind: 'feed', feedId: of.feed as FeedId }
    }
    return of
  }

  async function loadOwn(userId: UserId, id: FeedOutId): Promise<FeedOut> {
    const ownItems = (await sharing.sharedItems('feedOut', userId)).find((feed) => feed.id === id)
    if (!ownItems) throw notFound('outgoing feed', id)
    return ownItems
  }

  /** Read-only users can neither see nor revoke the address, so it is not served until they can write again. */
  async function mayShare(userId: UserId): Promise<boolean> {
    const owner = (await users.allUsers()).find(({ id }) => id === userId)
    return !owner || includesScope(owner.scope, 'write') // before there are accounts, nobody has a name
  }

  app.openapi(OPERATIONS.listFeedsOut, async (c) => {
    const feeds = await sharing.sharedItems('feedOut', await userIdOf(c))
    return c.json({ feedsOut: feeds.map(feedOutShape) }, 200)
  })

  app.openapi(OPERATIONS.addFeedOut, async (c) => {
    const { name, of, text, unique } = c.req.valid('json')
    const userId = await userIdOf(c)
    if ((await sharing.sharedItems('feedOut', userId)).length >= MAX_FEEDS)
      throw new Problem(409, `you have ${MAX_FEEDS} outgoing feeds`, 'remove some first')
    const feed = {
      userId,
      name,
      of: await parseTarget(of, userId),
      text,
      ...omitUndefined({ unique }),
      key: newSecret(),
      addedAt: clock.now(),
    }
    const id = await sharing.addSharedItem('feedOut', feed)
    return c.json(feedOutShape({ id, ...feed }), 201)
  })

  app.openapi(OPERATIONS.editFeedOut, async (c) => {
    const { name, of, text, unique } = c.req.valid('json')
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as FeedOutId]
    await loadOwn(userId, id)
    await sharing.changeSharedItem('feedOut', userId, id, {
      ...omitUndefined({ name, text, unique }),
      ...(of && { of: await parseTarget(of, userId) }),
    })
    return c.json(feedOutShape(await loadOwn(userId, id)), 200)
  })

  app.openapi(OPERATIONS.moveFeedOut, async (c) => {
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as FeedOutId]
    await sharing.changeSharedItem('feedOut', userId, id, { key: newSecret() })
    return c.json(feedOutShape(await loadOwn(userId, id)), 200)
  })

  app.openapi(OPERATIONS.removeFeedOut, async (c) => {
    const id = c.req.valid('param').id as FeedOutId
    if (!(await sharing.removeSharedItem('feedOut', await userIdOf(c), id))) throw notFound('outgoing feed', id)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.getSecretFeed, async (c) => {
    const { key, format } = formatIn(c.req.valid('param').name)
    const feed = await sharing.feedOutByKey(key, clock.now())
    const { limit } = c.req.valid('query')
    if (feed?.of.kind === 'digest' && (await mayShare(feed.userId)))
      return answerWithItems(c, await digestFeed(feed, limit ?? 30, parts), format, parts)
    const query = feed && (await mayShare(feed.userId)) && (await feedOutQuery(feed, limit ?? 50, sharing))
    if (!query) throw new Problem(404, 'there is no feed at this address', 'it may have a new address; ask its owner')
    // The hub only knows the plain address: with a limit it is another document. Personal feeds are not announced to it.
    const visible = await visibleToUser(feed.userId, parts)
    return answerWithFeed(c, query, format, visible, limit === undefined && !query.isPersonal ? hub : undefined)
  })
  return app
}

function missingProblem(what: string, id: number): Problem {
  return new Problem(400, `there is no ${what} ${id}`, 'use an existing id')
}
