/** How many polls there may be a day, who says so, and what other budgets would be worth. */
import { z } from '@hono/zod-openapi'
import { howMany } from './values.ts'

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
    feeds: howMany.describe('That are polled.'),
    autoPerDay: z.number().describe('How many polls a day auto allows for these feeds.'),
    now: z
      .strictObject({ pollsPerDay: z.number(), delayMs: z.number() })
      .optional()
      .describe('What is expected as things are.'),
    auto: z
      .strictObject({ pollsPerDay: z.number(), delayMs: z.number() })
      .optional()
      .describe('What is expected where nobody names a budget.'),
    points: z
      .array(z.strictObject({ pollsPerDay: z.number(), delayMs: z.number() }))
      .describe('How long an entry waits in the mean, by what is known of the feeds, at ever more polls a day.'),
  })
  .openapi('Budget')

export type BudgetShape = z.infer<typeof budgetSchema>

export const budgetGiven = z
  .strictObject({
    pollsPerDay: z
      .number()
      .min(1)
      .max(MOST_POLLS_A_DAY)
      .nullable()
      .describe(`polls a day, from 1 to ${MOST_POLLS_A_DAY}; null: as it is configured`),
  })
  .openapi('BudgetGiven')
