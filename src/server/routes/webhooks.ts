/** The user's webhooks; src/webhooks delivers to them. */
import { randomBytes } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { SavedSearchId, UserId, Webhook, WebhookId } from '../../model/index.ts'
import { omitUndefined, webhookShape } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Per user. */
const MAX_WEBHOOKS = 100

export function webhookRoutes({ sharing, catalogue, clock }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  async function loadOwn(userId: UserId, id: WebhookId): Promise<Webhook> {
    const ownItems = (await sharing.sharedItems('webhook', userId)).find((webhook) => webhook.id === id)
    if (!ownItems) throw notFound('webhook', id)
    return ownItems
  }

  async function assertOwnSearch(userId: UserId, id: number): Promise<SavedSearchId> {
    const ownItems = await sharing.sharedItems('search', userId)
    if (!ownItems.some((search) => search.id === id))
      throw new Problem(400, `there is no search ${id}`, 'save one first: POST /api/v1/searches')
    return id as SavedSearchId
  }

  app.openapi(OPERATIONS.listWebhooks, async (c) => {
    const webhooks = await sharing.sharedItems('webhook', await userIdOf(c))
    return c.json({ webhooks: webhooks.map(webhookShape) }, 200)
  })

  app.openapi(OPERATIONS.addWebhook, async (c) => {
    const { name, url, search } = c.req.valid('json')
    const [userId, now] = [await userIdOf(c), clock.now()]
    const searchId = await assertOwnSearch(userId, search)
    if ((await sharing.sharedItems('webhook', userId)).length >= MAX_WEBHOOKS)
      throw new Problem(409, `you have ${MAX_WEBHOOKS} webhooks`, 'remove some first')
    const cursor = await catalogue.newestEntryId()
    const secret = newWebhookSecret()
    const webhook = {
      userId,
      name,
      url,
      secret,
      searchId,
      state: 'active',
      addedAt: now,
      dueAt: now,
      cursor,
    } as const
    const id = await sharing.addSharedItem('webhook', webhook)
    return c.json({ webhook: webhookShape({ id, ...webhook, failures: 0 }), secret }, 201)
  })

  app.openapi(OPERATIONS.editWebhook, async (c) => {
    const { name, url, search, state } = c.req.valid('json')
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as WebhookId]
    const previous = await loadOwn(userId, id)
    await sharing.changeSharedItem('webhook', userId, id, {
      ...omitUndefined({ name, url, state }),
      ...(search !== undefined && { searchId: await assertOwnSearch(userId, search) }),
      ...(state === 'active' && previous.state !== 'active' && { failures: 0, dueAt: clock.now() }),
    })
    return c.json(webhookShape(await loadOwn(userId, id)), 200)
  })

  app.openapi(OPERATIONS.changeWebhookSecret, async (c) => {
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as WebhookId]
    const secret = newWebhookSecret()
    await sharing.changeSharedItem('webhook', userId, id, { secret })
    return c.json({ webhook: webhookShape(await loadOwn(userId, id)), secret }, 200)
  })

  app.openapi(OPERATIONS.removeWebhook, async (c) => {
    const id = c.req.valid('param').id as WebhookId
    if (!(await sharing.removeSharedItem('webhook', await userIdOf(c), id))) throw notFound('webhook', id)
    return c.body(null, 204)
  })
  return app
}

/** In the format of Standard Webhooks. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
