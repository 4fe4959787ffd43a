/** M, T and ToE of a feed over time. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

export const roundsSchema = z
  .strictObject({
    strategy: z.string(),
    hasRounds: z.boolean().describe('Whether the strategy uses M, T and ToE. If not, there are no points.'),
    words: z.string(),
    isExact: z
      .boolean()
      .optional()
      .describe('Whether the points reproduce the memory of the strategy. False if the log is incomplete.'),
    trainsUntil: date.optional().describe('The end of training in rounds, if limited.'),
    every: countSchema.describe('One point per this many polls.'),
    points: z
      .array(
        z.strictObject({
          at: date,
          found: z.boolean().describe('Whether the poll found new entries.'),
          M: z.number().describe('Rounds between two polls.'),
          T: z.number().describe('Rounds since the feed last changed.'),
          ToE: z.number().describe('Rounds until the next poll.'),
        }),
      )
      .describe('After each poll that succeeded, oldest first.'),
  })
  .openapi('Rounds')

export type RoundsShape = z.infer<typeof roundsSchema>
