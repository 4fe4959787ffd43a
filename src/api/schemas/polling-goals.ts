/** Polling goals of a feed or a folder. */
import { z } from '@hono/zod-openapi'
import { DAY, SECOND } from '../../model/index.ts'
import { countSchema, id } from './values.ts'

const MAX_MS = 366 * DAY
const milliseconds = z.number().min(SECOND).max(MAX_MS).describe(`milliseconds from ${SECOND} to ${MAX_MS}, or null`)

export const wantsSchema = z
  .strictObject({
    minMs: milliseconds.optional(),
    maxMs: milliseconds.optional(),
    goalMs: milliseconds.optional().describe('Target delay from publication to arrival.'),
  })
  .openapi('PollingGoals')

/** Null or absent: no goal. */
export const wantsInput = z
  .strictObject({
    minMs: milliseconds.nullable().optional(),
    maxMs: milliseconds.nullable().optional(),
    goalMs: milliseconds.nullable().optional(),
  })
  .refine(({ minMs, maxMs }) => (minMs ?? 0) <= (maxMs ?? MAX_MS), 'minMs is longer than maxMs')
  .transform(({ minMs, maxMs, goalMs }) => ({
    ...(typeof minMs === 'number' && { minMs }),
    ...(typeof maxMs === 'number' && { maxMs }),
    ...(typeof goalMs === 'number' && { goalMs }),
  }))
  .openapi('PollingGoalsInput')

const goalLineSchema = z
  .strictObject({
    of: z.union([z.strictObject({ folder: z.string() }), z.strictObject({ feedId: id, title: z.string() })]),
    wants: wantsSchema,
    feeds: countSchema,
    pollsPerDay: z.number().describe('Current polls of the feeds that have been polled.'),
    delayMs: z.number().optional().describe('Mean delay of an entry.'),
  })
  .openapi('GoalLine')

export const goalsSchema = z
  .strictObject({
    lines: z.array(goalLineSchema).describe('Folders first, then feeds.'),
    pollsPerDay: z.number().describe('All feeds.'),
    pollsForGoals: z.number().describe('Feeds with a goal.'),
    budget: z.union([z.number(), z.literal('auto')]).describe('Polls per day.'),
    goalStretch: z
      .number()
      .optional()
      .describe('If the budget is too small for all goals: the factor by which goals are exceeded.'),
    needed: z.number().optional().describe('Polls per day needed to meet all goals.'),
    delayMs: z.number().optional().describe('Expected mean delay of entries with that budget.'),
  })
  .openapi('Goals')

export type GoalsShape = z.infer<typeof goalsSchema>
