/** How many polls there may be a day, who says so, and what other budgets would be worth. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

/** As the setting of the same name has them. */
const MOST_POLLS_A_DAY = 8_640_000_000

const pollsPerDay = z
  .union([z.number(), z.literal('auto')])
  .describe('Polls a day, all feeds together; auto: as many as are of use, 24 for each feed at most.')

export const budgetSchema = z
  .strictObject({
    pollsPerDay,
    named: z.literal(true).optional().describe('A person has named it while it ran.'),
    fixedBy: z
      .enum(['flag', 'environment', 'freshet.toml', 'configuration'])
      .optional()
      .describe('Where it is set, if it is: then it cannot be named here.'),
    feeds: countSchema.describe('That are polled.'),
    autoPerDay: z.number().describe('How many polls a day auto allows for these feeds.'),
    now: z
      .strictObject({ pollsPerDay: z.number(), delayMs: z.number() })
      .optional()
      .describe('What is expected as things are.'),
    auto: z
      .strictObject({ pollsPerDay: z.number(), delayMs: z.number() })
      .optional()
      .describe('What is expected where nobody names a budget.'),
    hours: z
      .array(
        z.strictObject({
          at: date,
          polls: z.number(),
          planned: z.number().optional().describe('What the plan had for this hour.'),
        }),
      )
      .optional()
      .describe('How the last 24 hours were spent, oldest first.'),
    waiting: countSchema
      .optional()
      .describe('Feeds that were due and wait because the budget has better uses for a poll.'),
    kept: z
      .strictObject({ promisedMs: z.number(), cameMs: z.number(), entries: countSchema })
      .optional()
      .describe('How long entries of about the last week were expected to wait in the mean, and how long they did.'),
    points: z
      .array(z.strictObject({ pollsPerDay: z.number(), delayMs: z.number() }))
      .describe('How long an entry waits in the mean, by what is known of the feeds, at ever more polls a day.'),
  })
  .openapi('Budget')

export type BudgetShape = z.infer<typeof budgetSchema>

export const budgetInput = z
  .strictObject({
    pollsPerDay: z
      .number()
      .min(1)
      .max(MOST_POLLS_A_DAY)
      .nullable()
      .describe(`polls a day, from 1 to ${MOST_POLLS_A_DAY}; null: as it is configured`),
  })
  .openapi('BudgetGiven')
