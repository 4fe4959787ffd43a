/** Positions in recordings. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { date, id } from './values.ts'

/** A hundred hours. */
export const MAX_RECORDING_SECONDS = 360_000

export const playbackSchema = z
  .strictObject({
    entryId: id,
    positionSeconds: z.number(),
    durationSeconds: z.number().optional(),
    finished: z.literal(true).optional().describe('Less than 30 seconds or 5 % are left.'),
    updatedAt: date,
    entry: entrySchema.optional().describe('With entries=true.'),
  })
  .openapi('Playback')

export type PlaybackShape = z.infer<typeof playbackSchema>
