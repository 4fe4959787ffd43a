/** What a stream tells as it happens, beside entries: each is the JSON of one event's data. */
import { z } from '@hono/zod-openapi'
import { pollSchema } from './poll.ts'
import { date, id, share } from './values.ts'

export const pollEventSchema = pollSchema
  .pick({ feedId: true, at: true, tookMs: true, bytes: true, result: true })
  .extend({ feedTitle: z.string(), dueAt: date.describe('When it is polled next.') })
  .openapi('ToldPoll')

export type PollEventShape = z.infer<typeof pollEventSchema>

export const groupEventSchema = z
  .strictObject({
    kind: z
      .enum(['joined', 'moved'])
      .describe('joined: it found others that say the same. moved: it says something else now, and belongs elsewhere.'),
    at: date,
    entryId: id,
    title: z.string(),
    level: z.enum(['copy', 'story']),
    likeId: id.optional().describe('The entry that it is like.'),
    likeness: share.optional(),
    reason: z.string().optional(),
    from: id.optional().describe('The group that it has left.'),
    to: id.optional().describe('The group that it belongs to now.'),
  })
  .openapi('ToldPlace')

export type GroupEventShape = z.infer<typeof groupEventSchema>

export const troubleEventSchema = z
  .strictObject({
    kind: z.string().describe('For programs: poll-failed, host-rests, incident, store-refuses …'),
    at: date,
    words: z.string().describe('For people.'),
    feedId: id.optional(),
    sourceId: id.optional(),
    root: z.string().optional(),
    until: date.optional(),
  })
  .openapi('ToldTrouble')

export type TroubleEventShape = z.infer<typeof troubleEventSchema>
