/** The user's destinations, and entries that are sent to them; src/webhooks sends them. */
import { randomUUID } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS, type PresetShape } from '../../api/index.ts'
import {
  FOLDER_PRESET,
  findDestination,
  forgetDestination,
  forgetSend,
  forgetSendsTo,
  loadDestinations,
  loadSends,
  MAX_DESTINATIONS,
  MAX_WAITING_SENDS,
  PRESETS,
  type PresetDescription,
  queueSend,
  readFields,
  saveDestination,
  TEST_ENTRY,
} from '../../destinations/index.ts'
import { loadRules } from '../../filtering/index.ts'
import type { Destination, EntryId, UserId } from '../../model/index.ts'
import { attemptShape, destinationShape, sendShape } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { createPerUserQueue } from '../per-user-queue.ts'
import { notFound, Problem } from '../problem.ts'
import { createTokenBuckets } from '../rate-limit.ts'
import { visibleParts } from '../request-visibility.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

/** Tests that a user may make at once, and per minute. */
const TEST_BURST = 20
const TESTS_PER_MINUTE = 10

export function destinationRoutes(parts: ServerParts): OpenAPIHono {
  const { userValues, clock, sending } = parts
  const app = validatedRoutes()
  const inTurn = createPerUserQueue()
  const takeToken = createTokenBuckets({ perSecond: TESTS_PER_MINUTE / 60, burst: TEST_BURST })
  const presets: readonly PresetDescription[] = sending?.hasFolder ? [...PRESETS, FOLDER_PRESET] : PRESETS

  async function findOwn(userId: UserId, id: string): Promise<{ all: Destination[]; destination: Destination }> {
    const all = await loadDestinations(userValues, userId)
    const destination = all.find((one) => one.id === id)
    if (!destination) throw unknownDestination()
    return { all, destination }
  }

  function presetNamed(id: string): PresetDescription {
    const preset = presets.find((one) => one.id === id)
    if (!preset) throw new Problem(400, `there is no preset "${id}"`, presets.map((one) => one.id).join(', '))
    return preset
  }

  function fieldsOf(preset: PresetDescription, values: Record<string, string>, before?: Destination) {
    const fields = readFields(preset, values, before)
    if ('fault' in fields) throw new Problem(400, fields.fault, 'see the presets in GET /api/v1/destinations')
    return fields
  }

  function assertNameIsFree(all: readonly Destination[], name: string): void {
    const folded = name.toLowerCase()
    if (all.some((one) => one.name.toLowerCase() === folded))
      throw new Problem(409, `you already have a destination called ${name}`, 'choose another name')
  }

  /** Rules name their destinations. */
  async function assertNoRuleUses(userId: UserId, { name }: Destination): Promise<void> {
    const folded = name.toLowerCase()
    const rule = (await loadRules(parts, userId)).find(({ actions }) =>
      actions.some((action) => action.kind === 'send' && action.destination.toLowerCase() === folded),
    )
    if (rule) throw new Problem(409, `the rule "${rule.name}" sends entries to ${name}`, 'change the rule first')
  }

  app.openapi(OPERATIONS.listDestinations, async (c) => {
    const destinations = await loadDestinations(userValues, await userIdOf(c))
    return c.json({ destinations: destinations.map(destinationShape), presets: presets.map(presetShape) }, 200)
  })

  app.openapi(OPERATIONS.addDestination, async (c) => {
    const { name, preset, fields } = c.req.valid('json')
    const userId = await userIdOf(c)
    const values = fieldsOf(presetNamed(preset), fields)
    const now = clock.now()
    const destination: Destination = { id: randomUUID(), name, preset, ...values, addedAt: now }
    await inTurn(userId, async () => {
      const all = await loadDestinations(userValues, userId)
      if (all.length >= MAX_DESTINATIONS)
        throw new Problem(409, `you have ${MAX_DESTINATIONS} destinations`, 'remove some first')
      assertNameIsFree(all, name)
      await saveDestination(userValues, userId, destination, now)
    })
    return c.json(destinationShape(destination), 201)
  })

  app.openapi(OPERATIONS.editDestination, async (c) => {
    const { name, fields = {} } = c.req.valid('json')
    const { id } = c.req.valid('param')
    const userId = await userIdOf(c)
    const changed = await inTurn(userId, async () => {
      const { all, destination } = await findOwn(userId, id)
      if (name !== undefined && name !== destination.name) {
        const others = all.filter((one) => one.id !== id)
        assertNameIsFree(others, name)
        await assertNoRuleUses(userId, destination)
      }
      const values = fieldsOf(presetNamed(destination.preset), fields, destination)
      const edited = { ...destination, ...values, ...(name !== undefined && { name }) }
      await saveDestination(userValues, userId, edited, clock.now())
      return edited
    })
    return c.json(destinationShape(changed), 200)
  })

  app.openapi(OPERATIONS.removeDestination, async (c) => {
    const userId = await userIdOf(c)
    const { destination } = await findOwn(userId, c.req.valid('param').id)
    await assertNoRuleUses(userId, destination)
    await forgetDestination(userValues, userId, destination.id, clock.now())
    await forgetSendsTo(userValues, userId, destination.id, clock.now())
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.testDestination, async (c) => {
    const userId = await userIdOf(c)
    const { destination } = await findOwn(userId, c.req.valid('param').id)
    const waitSeconds = takeToken(String(userId), clock.now())
    if (waitSeconds > 0)
      throw new Problem(429, 'too many tests', `the limit is ${TESTS_PER_MINUTE} per minute`, waitSeconds)
    if (!sending) throw new Problem(503, 'this server sends nothing', 'use a server that crawls')
    const sent = { userId, destination, entry: TEST_ENTRY, sendId: randomUUID() }
    return c.json(attemptShape(await sending.sendEntry(sent)), 200)
  })

  app.openapi(OPERATIONS.sendEntry, async (c) => {
    const userId = await userIdOf(c)
    const entryId = c.req.valid('param').id as EntryId
    const [entry] = await (await visibleParts(c, parts)).catalogue.entriesById([entryId])
    if (!entry) throw notFound('entry', entryId)
    const word = c.req.valid('json').destination
    const destination = findDestination(await loadDestinations(userValues, userId), word)
    if (!destination) throw unknownDestination()
    const now = clock.now()
    const job = await inTurn(userId, () =>
      queueSend(userValues, { userId, destinationId: destination.id, entryId, now }),
    )
    if (job === 'too-many')
      throw new Problem(409, `${MAX_WAITING_SENDS} entries wait to be sent`, 'cancel some: DELETE /api/v1/sends/ID')
    await sending?.onQueued()
    return c.json(sendShape(job, entry.title), 202)
  })

  app.openapi(OPERATIONS.listSends, async (c) => {
    const userId = await userIdOf(c)
    const sends = await loadSends(userValues, userId)
    const { catalogue } = await visibleParts(c, parts)
    const ids = [...new Set(sends.map(({ entryId }) => entryId))]
    const entries = await catalogue.entriesById(ids)
    const titles = new Map(ids.map((id, i) => [id, entries[i]?.title]))
    return c.json({ sends: sends.map((send) => sendShape(send, titles.get(send.entryId))) }, 200)
  })

  app.openapi(OPERATIONS.removeSend, async (c) => {
    const { id } = c.req.valid('param')
    if (!(await forgetSend(userValues, await userIdOf(c), id, clock.now())))
      throw new Problem(404, 'there is no such entry in the queue', 'see GET /api/v1/sends')
    return c.body(null, 204)
  })
  return app
}

function unknownDestination(): Problem {
  return new Problem(404, 'you have no such destination', 'see GET /api/v1/destinations')
}

function presetShape({ id, name, hint, fields }: PresetDescription): PresetShape {
  return { id, name, ...(hint && { hint }), fields }
}
