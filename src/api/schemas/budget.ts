/** The poll budget: its value, its source, and the expected delay with other budgets. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

/** The limit of the setting `budget`. */
const MAX_POLLS_PER_DAY = 8_640_000_000

const pollsPerDay = z
  .union([z.number(), z.literal('auto')])
  .describe('Polls per day of all feeds together. auto: as many as are useful, at most 24 per feed.')

export const budgetSchema = z
  .strictObject({
    pollsPerDay,
    named: z.literal(true).optional().describe('Set by an admin at run time.'),
    fixedBy: z
      .enum(['flag', 'environment', 'freshet.toml', 'configuration'])
      .optional()
      .describe('Where it is configured, if it is. Then it cannot be set here.'),
    feeds: countSchema.describe('Number of polled feeds.'),
    autoPerDay: z.number().describe('Polls per day with auto.'),
    now: z.strictObject({ pollsPerDay: z.number(), delayMs: z.number() }).optional().describe('Expected now.'),
    auto: z
      .strictObject({ pollsPerDay: z.number(), delayMs: z.number() })
      .optional()
      .describe('Expected without a budget.'),
    hours: z
      .array(
        z.strictObject({
          at: date,
          polls: z.number(),
          planned: z.number().optional().describe('Planned for this hour.'),
        }),
      )
      .optional()
      .describe('Polls of the last 24 hours, oldest first.'),
    waiting: countSchema.optional().describe('Feeds that are due and deferred because of the budget.'),
    recentDelays: z
      .strictObject({ expectedMs: z.number(), actualMs: z.number(), entries: countSchema })
      .optional()
      .describe('Expected and actual mean delay of the entries of about the last week.'),
    points: z
      .array(z.strictObject({ pollsPerDay: z.number(), delayMs: z.number() }))
      .describe('Expected mean delay of an entry at increasing numbers of polls per day.'),
  })
  .openapi('Budget')

export type BudgetShape = z.infer<typeof budgetSchema>

export const budgetInput = z
  .strictObject({
    pollsPerDay: z
      .number()
      .min(1)
      .max(MAX_POLLS_PER_DAY)
      .nullable()
      .describe(`polls per day, from 1 to ${MAX_POLLS_PER_DAY}; null: use the configuration`),
  })
  .openapi('BudgetInput')
