/** What a person wants of polls, of one feed or of a folder. */
import { z } from '@hono/zod-openapi'
import { DAY, SECOND } from '../../model/index.ts'
import { countSchema, id } from './values.ts'

const LONGEST_MS = 366 * DAY
const milliseconds = z
  .number()
  .min(SECOND)
  .max(LONGEST_MS)
  .describe(`milliseconds from ${SECOND} to ${LONGEST_MS}, or null`)

export const wantsSchema = z
  .strictObject({
    minMs: milliseconds.optional(),
    maxMs: milliseconds.optional(),
    goalMs: milliseconds.optional().describe('Entries should be here within so long of their publication.'),
  })
  .openapi('Wants')

/** What is null or absent is not wanted. */
export const wantsInput = z
  .strictObject({
    minMs: milliseconds.nullable().optional(),
    maxMs: milliseconds.nullable().optional(),
    goalMs: milliseconds.nullable().optional(),
  })
  .refine(({ minMs, maxMs }) => (minMs ?? 0) <= (maxMs ?? LONGEST_MS), 'minMs is longer than maxMs')
  .transform(({ minMs, maxMs, goalMs }) => ({
    ...(typeof minMs === 'number' && { minMs }),
    ...(typeof maxMs === 'number' && { maxMs }),
    ...(typeof goalMs === 'number' && { goalMs }),
  }))
  .openapi('WantsGiven')

const goalLineSchema = z
  .strictObject({
    of: z.union([z.strictObject({ folder: z.string() }), z.strictObject({ feedId: id, title: z.string() })]),
    wants: wantsSchema,
    feeds: countSchema,
    pollsPerDay: z.number().describe('As things are, of the feeds that have been polled.'),
    delayMs: z.number().optional().describe('How long an entry waits, in the mean.'),
  })
  .openapi('GoalLine')

export const goalsSchema = z
  .strictObject({
    lines: z.array(goalLineSchema).describe('Of folders, then of feeds.'),
    pollsPerDay: z.number().describe('Of all feeds.'),
    pollsForGoals: z.number().describe('Of those with a goal.'),
    budget: z.union([z.number(), z.literal('auto')]).describe('Polls a day.'),
    goalStretch: z
      .number()
      .optional()
      .describe('Where the budget is not enough for all goals: how many times as late as wanted their feeds may be.'),
    needed: z.number().optional().describe('And how many polls a day it would take.'),
    delayMs: z.number().optional().describe('How long an entry of any feed is then expected to wait, in the mean.'),
  })
  .openapi('Goals')

export type GoalsShape = z.infer<typeof goalsSchema>
