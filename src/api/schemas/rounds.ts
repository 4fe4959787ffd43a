/** M, T and ToE of a feed over time. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

export const roundsSchema = z
  .strictObject({
    strategy: z.string(),
    hasRounds: z.boolean().describe('Whether the strategy goes by M, T and ToE; if not, there are no points.'),
    words: z.string(),
    isExact: z
      .boolean()
      .optional()
      .describe('Whether the points lead to what the strategy remembers; false where the log does not tell all.'),
    trainsUntil: date.optional().describe('Until when it goes in rounds, if only at first.'),
    every: countSchema.describe('Of so many polls the last is a point.'),
    points: z
      .array(
        z.strictObject({
          at: date,
          found: z.boolean().describe('Whether the poll brought something new.'),
          M: z.number().describe('Rounds between two polls.'),
          T: z.number().describe('Rounds since the feed last changed.'),
          ToE: z.number().describe('Rounds until the next poll.'),
        }),
      )
      .describe('After each poll that succeeded, oldest first.'),
  })
  .openapi('Rounds')

export type RoundsShape = z.infer<typeof roundsSchema>
