/** "For you": the personal ranking, what it has learned, and reports of what users do. Everything is of the caller alone. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { EntryId, UserId } from '../../model/index.ts'
import { parseFeatureKey } from '../../ranking/index.ts'
import { compareOwnRankings, forYou, learnedBy, recordedInteractions, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { Problem } from '../problem.ts'
import { createTokenBuckets } from '../rate-limit.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

const DEFAULT_LIMIT = 100
/** Of one user: each ranking reads up to two thousand entries. */
const RANKINGS_PER_SECOND = 1
const RANKING_BURST = 30
/** All entries have these, so excluding them would leave nothing. */
const NEVER_EXCLUDED: readonly string[] = ['outlets', 'age']

export function forYouRoutes(parts: SharedParts): OpenAPIHono {
  const { interactions } = parts
  const app = validatedRoutes()
  const visibleTo = (userId: UserId) => visibleToUser(userId, parts)
  const takeToken = createTokenBuckets({ perSecond: RANKINGS_PER_SECOND, burst: RANKING_BURST })

  function limitRankings(userId: UserId): void {
    const waitSeconds = takeToken(String(userId), parts.clock.now())
    if (waitSeconds > 0)
      throw new Problem(429, 'too many rankings', `the limit is ${RANKINGS_PER_SECOND} per second`, waitSeconds)
  }

  app.openapi(OPERATIONS.getForYou, async (c) => {
    const { since, until, unread = true, excerpts = false, limit = DEFAULT_LIMIT } = c.req.valid('query')
    const userId = await userIdOf(c)
    limitRankings(userId)
    const query = { since, until, withRead: !unread, withExcerpts: excerpts, limit }
    return c.json(await forYou(userId, query, await visibleTo(userId)), 200)
  })

  app.openapi(OPERATIONS.reportInteractions, async (c) => {
    const report = c.req.valid('json') as { [Name in keyof ReturnType<typeof c.req.valid<'json'>>]: EntryId[] }
    return c.json({ learned: await interactions.record(await userIdOf(c), report) }, 200)
  })

  app.openapi(OPERATIONS.listInteractions, async (c) => {
    const userId = await userIdOf(c)
    const { limit = DEFAULT_LIMIT } = c.req.valid('query')
    return c.json({ interactions: await recordedInteractions(userId, limit, await visibleTo(userId)) }, 200)
  })

  app.openapi(OPERATIONS.getLearned, async (c) => {
    const userId = await userIdOf(c)
    return c.json(await learnedBy(userId, await visibleTo(userId)), 200)
  })

  app.openapi(OPERATIONS.changeLearned, async (c) => {
    const { isLearning, feature, preference } = c.req.valid('json')
    const userId = await userIdOf(c)
    if (feature !== undefined) {
      const kind = parseFeatureKey(feature)?.kind
      if (!kind) throw new Problem(400, `there is no feature "${feature}"`, 'take the feature of a reason')
      if (preference === 'never' && NEVER_EXCLUDED.includes(kind))
        throw new Problem(400, `${kind} cannot be excluded`, 'send "less"')
      await interactions.prefer(userId, feature, preference ?? undefined)
    }
    if (isLearning !== undefined) await interactions.setLearning(userId, isLearning)
    return c.json(await learnedBy(userId, await visibleTo(userId)), 200)
  })

  app.openapi(OPERATIONS.forgetLearned, async (c) => {
    await interactions.forget(await userIdOf(c))
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.compareOwnRanking, async (c) => {
    const userId = await userIdOf(c)
    limitRankings(userId)
    return c.json(await compareOwnRankings(userId, await visibleTo(userId)), 200)
  })
  return app
}
