/** The user's notifications; src/notifications sends them. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { OPERATIONS } from '../../api/index.ts'
import { type SavedSearchId, SECOND, type UserId } from '../../model/index.ts'
import {
  addDevice,
  browserName,
  ensureVapidKeys,
  loadDevices,
  MAX_PUSH_DEVICES,
  removeDevices,
  sendTest,
  setSearchNotifies,
} from '../../notifications/index.ts'
import { callerOf, userIdOf } from '../authorize.ts'
import { deviceShape, notificationsOf } from '../notification-shapes.ts'
import { notFound, Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Between two test notifications of a user. */
const TEST_PAUSE_MS = 5 * SECOND

export function notificationRoutes(parts: ServerParts): OpenAPIHono {
  const { net, sharing, clock, catalogue, pushContact } = parts
  const app = validatedRoutes()
  const testedAt = new Map<UserId, number>()

  app.openapi(OPERATIONS.getNotifications, async (c) => c.json(await notificationsOf(await userIdOf(c), parts), 200))

  app.openapi(OPERATIONS.createPushKey, async (c) => {
    const { publicKey } = await ensureVapidKeys(parts, await userIdOf(c))
    return c.json({ publicKey }, 200)
  })

  app.openapi(OPERATIONS.addPushDevice, async (c) => {
    const { endpoint, keys, name = nameOfBrowser(c) } = c.req.valid('json')
    const { credential } = callerOf(c)
    const session = credential && { sessionId: credential.id }
    const device = await addDevice(parts, await userIdOf(c), { endpoint, keys, name, ...session })
    if (!device) throw new Problem(400, 'the keys of the browser are not valid', 'subscribe again')
    if (device === 'too-many')
      throw new Problem(409, `you have ${MAX_PUSH_DEVICES} devices`, 'remove one that you do not use any more')
    return c.json(deviceShape(device), 201)
  })

  app.openapi(OPERATIONS.removePushDevice, async (c) => {
    const [userId, { id }] = [await userIdOf(c), c.req.valid('param')]
    if (!(await loadDevices(parts, userId)).some((device) => device.id === id))
      throw new Problem(404, 'you have no such device', 'see GET /api/v1/notifications')
    await removeDevices(parts, userId, [id])
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.testNotifications, async (c) => {
    const userId = await userIdOf(c)
    if (!net || pushContact === undefined)
      throw new Problem(409, 'this process sends no notifications', 'start the server: freshet run')
    if (clock.now() - (testedAt.get(userId) ?? 0) < TEST_PAUSE_MS)
      throw new Problem(409, 'a test notification was just sent', 'wait a few seconds')
    testedAt.set(userId, clock.now())
    await sendTest(userId, { ...parts, net, contact: pushContact })
    return c.json(await notificationsOf(userId, parts), 200)
  })

  app.openapi(OPERATIONS.setSearchNotification, async (c) => {
    const [userId, id] = [await userIdOf(c), c.req.valid('param').id as SavedSearchId]
    const searches = await sharing.sharedItems('search', userId)
    if (!searches.some((search) => search.id === id)) throw notFound('search', id)
    const { notify } = c.req.valid('json')
    await setSearchNotifies(parts, userId, id, notify && { from: await catalogue.newestEntryId() })
    return c.json(await notificationsOf(userId, parts), 200)
  })
  return app
}

function nameOfBrowser(c: Context): string {
  return browserName(c.req.header('user-agent') ?? '')
}
