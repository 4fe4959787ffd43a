/** A process of a fleet. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

export const fleetMemberSchema = z
  .strictObject({
    name: z.string(),
    role: z.enum(['controller', 'fetcher', 'indexer', 'server']),
    version: z.string(),
    region: z.string().optional(),
    startedAt: date,
    seenAt: date.describe('When its last heartbeat arrived.'),
    clockAheadMs: z.int().describe('How far its clock is ahead of the server’s; negative: behind.'),
    slots: countSchema.optional().describe('Fetchers: maximum number of concurrent tasks.'),
    activeTasks: countSchema.optional().describe('Fetchers: tasks being performed now.'),
    completedTasks: countSchema.optional().describe('Fetchers: tasks performed since the start.'),
    buckets: countSchema.optional().describe('Controllers: number of owned buckets, of 256.'),
    leaderTasks: z.array(z.string()).optional().describe('Indexers: tasks it performs as leader.'),
    quarantine: z
      .strictObject({ reason: z.string(), until: date })
      .optional()
      .describe('Fetchers that receive no tasks for a while because of their results.'),
  })
  .openapi('FleetMember')

export type FleetMemberShape = z.infer<typeof fleetMemberSchema>
