/** Events of a stream other than entries, as JSON data of server-sent events. */
import { z } from '@hono/zod-openapi'
import { pollSchema } from './poll.ts'
import { date, id, share } from './values.ts'

export const pollEventSchema = pollSchema
  .pick({ feedId: true, at: true, tookMs: true, bytes: true, result: true })
  .extend({ feedTitle: z.string(), dueAt: date.describe('When it is polled next.') })
  .openapi('PollEvent')

export type PollEventShape = z.infer<typeof pollEventSchema>

export const groupEventSchema = z
  .strictObject({
    kind: z
      .enum(['joined', 'moved'])
      .describe('joined: it was added to a group. moved: its text changed, and it moved to another group.'),
    at: date,
    entryId: id,
    title: z.string(),
    level: z.enum(['copy', 'story']),
    likeId: id.optional().describe('The entry it matched.'),
    likeness: share.optional(),
    reason: z.string().optional(),
    from: id.optional().describe('The group it left.'),
    to: id.optional().describe('Its group now.'),
  })
  .openapi('GroupEvent')

export type GroupEventShape = z.infer<typeof groupEventSchema>

export const articleEventSchema = z
  .strictObject({
    at: date,
    entryId: id,
    feedId: id,
    state: z
      .enum(['read', 'waiting', 'failed'])
      .describe('read: the page was read; get the entry to see its text. waiting: it failed and is tried again.'),
    words: z.string().optional().describe('Why it failed, for users.'),
  })
  .openapi('ArticleEvent')

export type ArticleEventShape = z.infer<typeof articleEventSchema>

export const troubleEventSchema = z
  .strictObject({
    kind: z.string().describe('For programs: poll-failed, host-backing-off, incident, store-unavailable …'),
    at: date,
    words: z.string().describe('Message for users.'),
    feedId: id.optional(),
    sourceId: id.optional(),
    root: z.string().optional(),
    until: date.optional(),
  })
  .openapi('TroubleEvent')

export type TroubleEventShape = z.infer<typeof troubleEventSchema>
