/** The report of an import from another reader. */
import { z } from '@hono/zod-openapi'
import { countSchema, id } from './values.ts'

const entrySchema = z.strictObject({ title: z.string(), url: z.string().optional() })

const counts = {
  matched: countSchema.describe('Entries that are stored here, too.'),
  read: countSchema.describe('Of these, newly marked as read.'),
  starred: countSchema.describe('Of these, newly starred.'),
  labeled: countSchema.describe('Entries that were given labels.'),
  created: countSchema.describe('Starred or labeled entries that were not stored here, which were added to the feed.'),
  waiting: countSchema.describe('Read entries that the first poll of the feed will find.'),
  missing: countSchema.describe('Entries that are not stored here.'),
}

export const importedFeedSchema = z
  .strictObject({
    url: z.string(),
    title: z.string().optional(),
    feedId: id.optional(),
    sourceId: id.optional(),
    result: z
      .enum(['added', 'existing', 'refused'])
      .describe('existing: you follow it already. In a dry run: what would happen.'),
    reason: z.string().optional().describe('Why it was refused.'),
    ...counts,
    createdEntries: z.array(entrySchema).describe('The first 100.'),
    missingStars: z.array(entrySchema).describe('Starred or labeled entries that were not imported: the first 100.'),
    labelsRefused: z.literal(true).optional().describe('Labels were not imported, because you have 500.'),
    sharedWithOthers: z
      .literal(true)
      .optional()
      .describe('Other users read this feed, so that no entries were added to it.'),
  })
  .openapi('ImportedFeed')

export const readerImportSchema = z
  .strictObject({
    isDryRun: z.boolean().describe('Nothing was changed.'),
    feeds: z.array(importedFeedSchema),
    totals: z.strictObject({
      added: countSchema,
      existing: countSchema,
      refused: countSchema,
      ...counts,
      unassigned: countSchema.describe('Entries whose feed is unknown, or not followed.'),
      skipped: countSchema.describe('Items without a web address.'),
    }),
    unassigned: z.array(entrySchema).describe('Starred or labeled entries whose feed is unknown: the first 1,000.'),
  })
  .openapi('ReaderImport')

export type ImportedFeedShape = z.infer<typeof importedFeedSchema>
export type ReaderImportShape = z.infer<typeof readerImportSchema>
