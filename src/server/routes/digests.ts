/** The user's digests, and the e-mail address that they are sent to; src/notifications makes and sends them. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS } from '../../api/index.ts'
import { DAY } from '../../model/index.ts'
import {
  askForConfirmation,
  collectDigest,
  composeDigest,
  type DigestSettings,
  loadDigestSettings,
  loadMailAddress,
  removeMailAddress,
  saveDigestSettings,
} from '../../notifications/index.ts'
import { userIdOf } from '../authorize.ts'
import { notificationsOf } from '../notification-shapes.ts'
import { notFound, Problem } from '../problem.ts'
import type { SharedParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

const DEFAULT: Omit<DigestSettings, 'weekday' | 'hour' | 'byEmail'> = {
  every: 'day',
  morning: true,
  searches: [],
  folders: [],
  timeZone: 'UTC',
}

export function digestRoutes(parts: SharedParts): OpenAPIHono {
  const { mailer, publicUrl = '', sharing, clock, clientFor } = parts
  const pageUrl = publicUrl.replace(/\/+$/, '')
  const app = validatedRoutes()

  app.openapi(OPERATIONS.setDigest, async (c) => {
    const [userId, settings] = [await userIdOf(c), c.req.valid('json')]
    const saved = new Set((await sharing.sharedItems('search', userId)).map(({ id }): number => id))
    const missing = settings.searches.find((id) => !saved.has(id))
    if (missing !== undefined) throw new Problem(400, notFound('search', missing).message, 'save one first')
    if (settings.byEmail && !(await loadMailAddress(parts, userId)))
      throw new Problem(409, 'you have no e-mail address', 'set one first: PUT /api/v1/notifications/email')
    await saveDigestSettings(parts, userId, settings)
    return c.json(await notificationsOf(userId, parts), 200)
  })

  app.openapi(OPERATIONS.removeDigest, async (c) => {
    await saveDigestSettings(parts, await userIdOf(c), undefined)
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.previewDigest, async (c) => {
    const userId = await userIdOf(c)
    const settings = (await loadDigestSettings(parts, userId)) ?? DEFAULT
    const dueAt = clock.now()
    const period = { key: '', from: dueAt - (settings.every === 'day' ? DAY : 7 * DAY), dueAt }
    const client = await clientFor(userId)
    const content = client && (await collectDigest(client, period, settings))
    const digest = content && composeDigest(content, period, { timeZone: settings.timeZone, pageUrl })
    return c.json({ ...(digest && { digest }) }, 200)
  })

  app.openapi(OPERATIONS.setEmail, async (c) => {
    const userId = await userIdOf(c)
    if (!mailer || pageUrl === '')
      throw new Problem(409, 'this server sends no e-mail', 'its operator must set smtp-host and public-url')
    const result = await askForConfirmation(userId, c.req.valid('json').address, { ...parts, mailer, pageUrl })
    if (result === 'too-soon')
      throw new Problem(409, 'a confirmation was just sent, or five today', 'wait before you ask for another')
    if (!result.ok)
      throw new Problem(409, `the mail server did not accept the message: ${result.trouble}`, 'try again later')
    return c.json(await notificationsOf(userId, parts), 200)
  })

  app.openapi(OPERATIONS.removeEmail, async (c) => {
    const userId = await userIdOf(c)
    const settings = await loadDigestSettings(parts, userId)
    if (settings?.byEmail) await saveDigestSettings(parts, userId, { ...settings, byEmail: false })
    await removeMailAddress(parts, userId)
    return c.body(null, 204)
  })
  return app
}
