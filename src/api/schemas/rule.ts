/** Rules: when an entry matches a query in a scope, then actions. */
import { z } from '@hono/zod-openapi'
import { MAX_RULE_ACTIONS } from '../../model/index.ts'
import { entrySchema } from './entry.ts'
import { labelName } from './label.ts'
import { countSchema, date, id } from './values.ts'

export const ruleActionSchema = z
  .union([
    z.strictObject({ kind: z.enum(['read', 'star', 'mute', 'keep-only', 'notify', 'stop', 'fetch-article']) }),
    z.strictObject({ kind: z.literal('label'), label: labelName }),
    z.strictObject({ kind: z.literal('send'), destination: z.string().trim().min(1).max(200) }),
  ])
  .describe(
    'read, star, label: mark matching entries. mute: hide them from lists and searches. keep-only: mute everything else in the scope. notify: send a notification to your browsers. stop: skip later rules. send: send the entry to a destination, by its name. fetch-article: fetch the page of the entry before others.',
  )

export const ruleScopeSchema = z
  .union([
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({ kind: z.literal('folder'), folder: z.string().min(1).max(1000) }),
    z.strictObject({ kind: z.literal('feed'), feedId: id }),
  ])
  .describe('All feeds you follow, those in a folder or below it, or one feed.')

export const ruleQuerySchema = z
  .string()
  .max(1000)
  .describe('a search query, which can also have title: text: url: and /regular expressions/i; empty: every entry')

export const ruleInput = z.strictObject({
  name: z.string().trim().min(1).max(200).describe('a name of 1 to 200 characters'),
  enabled: z.boolean().optional().describe('true (default) or false'),
  scope: ruleScopeSchema.optional(),
  query: ruleQuerySchema,
  actions: z.array(ruleActionSchema).min(1).max(MAX_RULE_ACTIONS).describe('a list of 1 to 10 actions'),
})

export const ruleSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    scope: ruleScopeSchema,
    query: z.string(),
    actions: z.array(ruleActionSchema),
    fromFile: z.literal(true).optional().describe('It is in freshet.toml, and can only be changed there.'),
    matchedThisWeek: countSchema.describe('Number of new entries that matched in the last seven days.'),
    lastMatchedAt: date.optional(),
    lastEntryId: id.optional().describe('The entry that matched last.'),
  })
  .openapi('Rule')

export type RuleShape = z.infer<typeof ruleSchema>
export type RuleInput = z.infer<typeof ruleInput>

export const rulePreviewSchema = z
  .strictObject({
    checked: countSchema.describe('Number of the newest entries in the scope that were checked, at most 1,000.'),
    matched: countSchema,
    entries: z.array(entrySchema).describe('The newest that matched, at most 20.'),
  })
  .openapi('RulePreview')
