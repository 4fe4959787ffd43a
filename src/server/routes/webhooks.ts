/** Programs elsewhere that are told of what a person's saved searches find; what they are told stands elsewhere. */
import { randomBytes } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import type { PersonId, SavedSearchId, Webhook, WebhookId } from '../../model/index.ts'
import { omitUndefined, webhookShape } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Of one person. */
const MOST_WEBHOOKS = 100

export function webhookRoutes({ handouts, catalogue, clock }: ServerParts): OpenAPIHono {
  const app = validatedRoutes()

  async function ownWith(personId: PersonId, id: WebhookId): Promise<Webhook> {
    const own = (await handouts.webhooks(personId)).find((webhook) => webhook.id === id)
    if (!own) throw notFound('webhook', id)
    return own
  }

  async function checkedSearch(personId: PersonId, id: number): Promise<SavedSearchId> {
    const own = await handouts.savedSearches(personId)
    if (!own.some((search) => search.id === id))
      throw new Problem(400, `there is no search ${id}`, 'save one first: POST /api/v1/searches')
    return id as SavedSearchId
  }

  app.openapi(OPERATIONS.listWebhooks, async (c) => {
    const webhooks = await handouts.webhooks(await userIdOf(c))
    return c.json({ webhooks: webhooks.map(webhookShape) }, 200)
  })

  app.openapi(OPERATIONS.addWebhook, async (c) => {
    const { name, url, search } = c.req.valid('json')
    const [personId, now] = [await userIdOf(c), clock.now()]
    const searchId = await checkedSearch(personId, search)
    if ((await handouts.webhooks(personId)).length >= MOST_WEBHOOKS)
      throw new Problem(409, `you have ${MOST_WEBHOOKS} webhooks`, 'remove some first')
    const cursor = await catalogue.newestEntryId()
    const secret = newWebhookSecret()
    const webhook = {
      personId,
      name,
      url,
      secret,
      searchId,
      state: 'active',
      addedAt: now,
      dueAt: now,
      cursor,
    } as const
    const id = await handouts.addWebhook(webhook)
    return c.json({ webhook: webhookShape({ id, ...webhook, failures: 0 }), secret }, 201)
  })

  app.openapi(OPERATIONS.editWebhook, async (c) => {
    const { name, url, search, state } = c.req.valid('json')
    const [personId, id] = [await userIdOf(c), c.req.valid('param').id as WebhookId]
    const old = await ownWith(personId, id)
    await handouts.changeWebhook(personId, id, {
      ...omitUndefined({ name, url, state }),
      ...(search !== undefined && { searchId: await checkedSearch(personId, search) }),
      ...(state === 'active' && old.state !== 'active' && { failures: 0, dueAt: clock.now() }),
    })
    return c.json(webhookShape(await ownWith(personId, id)), 200)
  })

  app.openapi(OPERATIONS.changeWebhookSecret, async (c) => {
    const [personId, id] = [await userIdOf(c), c.req.valid('param').id as WebhookId]
    const secret = newWebhookSecret()
    await handouts.changeWebhook(personId, id, { secret })
    return c.json({ webhook: webhookShape(await ownWith(personId, id)), secret }, 200)
  })

  app.openapi(OPERATIONS.removeWebhook, async (c) => {
    const id = c.req.valid('param').id as WebhookId
    if (!(await handouts.removeHandout(await userIdOf(c), { webhookId: id }))) throw notFound('webhook', id)
    return c.body(null, 204)
  })
  return app
}

/** As Standard Webhooks have it. */
function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
