/** Feeds that a person makes for other readers, at addresses that nobody guesses: `/feeds/out/SECRET.rss`, `.atom`, `.json`. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { type FeedOutOfShape, OPERATIONS } from '../../api/index.ts'
import { newSecret } from '../../credentials/index.ts'
import type { FeedId, FeedOut, FeedOutId, FeedOutOf, PersonId, SavedSearchId } from '../../model/index.ts'
import { includesAllowance } from '../../model/index.ts'
import { feedOutQuery, feedOutShape, omitUndefined, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { answerWithFeed, formatIn } from '../feeds-out/answer-feed-out.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Of one person. */
const MOST_FEEDS = 500

export function savedFeedOutRoutes(parts: ServerParts): OpenAPIHono {
  const { handouts, people, clock, hub } = parts
  const app = validatedRoutes()

  /** Only what is there, and one's own. */
  async function checked(of: FeedOutOfShape, personId: PersonId): Promise<FeedOutOf> {
    if (of.kind === 'search') {
      const own = await handouts.savedSearches(personId)
      if (!own.some(({ id }) => id === of.search)) throw missing('search', of.search)
      return { kind: 'search', searchId: of.search as SavedSearchId }
    }
    if (of.kind === 'feed') {
      const { catalogue } = await visibleToUser(personId, parts)
      const [held] = await catalogue.feedsById([of.feed as FeedId])
      if (!held) throw missing('feed', of.feed)
      return { kind: 'feed', feedId: of.feed as FeedId }
    }
    return of
  }

  async function ownWith(personId: PersonId, id: FeedOutId): Promise<FeedOut> {
    const own = (await handouts.feedsOut(personId)).find((feed) => feed.id === id)
    if (!own) throw notFound('feed out', id)
    return own
  }

  /** Who may no longer write can neither see nor revoke the address: it rests until they may again. */
  async function mayHandOut(personId: PersonId): Promise<boolean> {
    const owner = (await people.people()).find(({ id }) => id === personId)
    return !owner || includesAllowance(owner.allows, 'write') // before there are accounts, nobody has a name
  }

  app.openapi(OPERATIONS.listFeedsOut, async (c) => {
    const feeds = await handouts.feedsOut(await userIdOf(c))
    return c.json({ feedsOut: feeds.map(feedOutShape) }, 200)
  })

  app.openapi(OPERATIONS.addFeedOut, async (c) => {
    const { name, of, text, unique } = c.req.valid('json')
    const personId = await userIdOf(c)
    if ((await handouts.feedsOut(personId)).length >= MOST_FEEDS)
      throw new Problem(409, `you have made ${MOST_FEEDS} feeds`, 'remove some first')
    const feed = {
      personId,
      name,
      of: await checked(of, personId),
      text,
      ...omitUndefined({ unique }),
      key: newSecret(),
      addedAt: clock.now(),
    }
    const id = await handouts.addFeedOut(feed)
    return c.json(feedOutShape({ id, ...feed }), 201)
  })

  app.openapi(OPERATIONS.editFeedOut, async (c) => {
    const { name, of, text, unique } = c.req.valid('json')
    const [personId, id] = [await userIdOf(c), c.req.valid('param').id as FeedOutId]
    await ownWith(personId, id)
    await handouts.changeFeedOut(personId, id, {
      ...omitUndefined({ name, text, unique }),
      ...(of && { of: await checked(of, personId) }),
    })
    return c.json(feedOutShape(await ownWith(personId, id)), 200)
  })

  app.openapi(OPERATIONS.moveFeedOut, async (c) => {
    const [personId, id] = [await userIdOf(c), c.req.valid('param').id as FeedOutId]
    await handouts.changeFeedOut(personId, id, { key: newSecret() })
    return c.json(feedOutShape(await ownWith(personId, id)), 200)
  })

  app.openapi(OPERATIONS.removeFeedOut, async (c) => {
    const id = c.req.valid('param').id as FeedOutId
    if (!(await handouts.removeHandout(await userIdOf(c), { feedOutId: id }))) throw notFound('feed out', id)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.getSecretFeed, async (c) => {
    const { key, format } = formatIn(c.req.valid('param').name)
    const feed = await handouts.feedOutWith(key, clock.now())
    const { limit } = c.req.valid('query')
    const wanted = feed && (await mayHandOut(feed.personId)) && (await feedOutQuery(feed, limit ?? 50, handouts))
    if (!wanted) throw new Problem(404, 'there is no feed at this address', 'it may have a new address; ask its owner')
    // A hub is told of the address alone: what is asked for behind it is another document.
    const seen = await visibleToUser(feed.personId, parts)
    return answerWithFeed(c, wanted, format, seen, limit === undefined ? hub : undefined)
  })
  return app
}

function missing(what: string, id: number): Problem {
  return new Problem(400, `there is no ${what} ${id}`, 'give an existing id')
}
