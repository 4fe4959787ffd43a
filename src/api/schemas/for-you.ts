/** The personal ranking: entries with reasons, what was learned, and recorded interactions. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { countSchema, date, id, share } from './values.ts'

const preference = z.enum(['more', 'less', 'never']).describe('"more", "less" or "never"')

const featureKey = z.string().min(3).max(80).describe('a feature, such as feed:3 or word:harbour')

export const reasonSchema = z
  .strictObject({
    feature: featureKey,
    kind: z.enum([
      'feed',
      'author',
      'tag',
      'word',
      'category',
      'language',
      'outlets',
      'known',
      'age',
      'length',
      'media',
    ]),
    label: z.string().describe('The feed’s title, the author, the word …'),
    amount: z.number().describe('What it adds to the score; negative if it lowers it.'),
    preference: preference.optional().describe('What you chose for it.'),
    words: z.string(),
  })
  .openapi('Reason')

export type ReasonShape = z.infer<typeof reasonSchema>

const rankedEntrySchema = z
  .strictObject({
    ...entrySchema.shape,
    score: z.number(),
    reasons: z.array(reasonSchema).describe('The strongest first.'),
  })
  .openapi('RankedEntry')

export type RankedEntryShape = z.infer<typeof rankedEntrySchema>

export const forYouSchema = z
  .strictObject({
    isLearning: z.boolean(),
    examples: countSchema.describe('Interactions that the ranking has learned from.'),
    considered: countSchema.describe('Entries that were ranked.'),
    entries: z.array(rankedEntrySchema).describe('Best first, each story once.'),
  })
  .openapi('ForYou')

export type ForYouShape = z.infer<typeof forYouSchema>

export const learnedSchema = z
  .strictObject({
    isLearning: z.boolean(),
    examples: countSchema.describe('Interactions that the ranking has learned from.'),
    interactions: countSchema.describe('Entries with recorded interactions.'),
    weights: z.array(reasonSchema).describe('What matters most, the strongest first.'),
  })
  .openapi('Learned')

export type LearnedShape = z.infer<typeof learnedSchema>

export const interactionSchema = z
  .strictObject({
    entryId: id,
    title: z.string().optional().describe('Absent if the entry is gone.'),
    signals: z.record(z.string(), date).describe('When you first opened, finished, starred or skipped it …'),
  })
  .openapi('Interaction')

export type InteractionShape = z.infer<typeof interactionSchema>

const qualitySchema = z.strictObject({
  precisionAt10: share.describe('Share of the first ten that you wanted to read.'),
  ndcgAt20: share.describe('How close the first twenty were to the best order.'),
})

export const rankingComparisonSchema = z
  .strictObject({
    interactions: countSchema,
    sessions: countSchema.describe('Sessions in which you opened some entries and not others.'),
    personal: qualitySchema,
    newest: qualitySchema.describe('The same entries, newest first.'),
    feeds: qualitySchema.describe('The same entries, by how often you open their feeds.'),
  })
  .openapi('RankingComparison')

export type RankingComparisonShape = z.infer<typeof rankingComparisonSchema>

const reported = z.array(id).max(200).describe('a list of ids of entries, at most 200').optional()

export const interactionReport = z
  .strictObject({
    opened: reported,
    finished: reported,
    skipped: reported,
    dismissed: reported,
    cleared: reported,
  })
  .refine((report) => Object.keys(report).length > 0, 'nothing to report')

export const learnedEdit = z
  .strictObject({
    isLearning: z.boolean().describe('true or false').optional(),
    feature: featureKey.optional(),
    preference: preference.nullable().describe('"more", "less", "never", or null').optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'nothing to change')
  .refine(
    (edit) => (edit.feature === undefined) === (edit.preference === undefined),
    'feature and preference go together',
  )
