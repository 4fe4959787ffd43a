/** Suggestions of what to follow, computed on request and cached for a short time. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS, type SuggestionsShape } from '../../api/index.ts'
import { type Instant, MINUTE, setBounded } from '../../model/index.ts'
import { suggestFeeds, visibleTo } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { visibilityOf } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

const CACHE_MS = 10 * MINUTE
const MAX_CACHED = 100

export function suggestionRoutes(parts: ServerParts): OpenAPIHono {
  const app = validatedRoutes()
  const cache = new Map<string, { at: Instant; suggestions: Promise<SuggestionsShape> }>()

  app.openapi(OPERATIONS.getSuggestions, async (c) => {
    const [userId, visibility] = [await userIdOf(c), await visibilityOf(c, parts)]
    const now = parts.clock.now()
    const { feeds } = await parts.readerState.readerCounts(userId) // computed again after the user follows or unfollows
    const key = `${userId} ${visibility.reach} ${feeds}`
    const cached = cache.get(key)
    if (cached && now - cached.at < CACHE_MS) return c.json(await cached.suggestions, 200)
    const seesOthers = visibility.reach === 'everything' || visibility.reach === 'shared'
    const suggestions = suggestFeeds(userId, visibleTo(parts, visibility), { now, seesOthers })
    setBounded(cache, key, { at: now, suggestions }, MAX_CACHED)
    suggestions.catch(() => cache.delete(key))
    return c.json(await suggestions, 200)
  })
  return app
}
