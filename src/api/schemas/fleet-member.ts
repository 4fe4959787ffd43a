/** A process of a fleet, as it says itself and as it is seen. */
import { z } from '@hono/zod-openapi'
import { countSchema, date } from './values.ts'

export const fleetMemberSchema = z
  .strictObject({
    name: z.string(),
    role: z.enum(['controller', 'fetcher', 'indexer', 'server']),
    version: z.string(),
    region: z.string().optional(),
    startedAt: date,
    seenAt: date.describe('When it was last heard of.'),
    clockAheadMs: z.int().describe('By how much its clock is ahead of the server’s; less than zero: behind.'),
    hands: countSchema.optional().describe('Of a terminal: how many tasks it performs at once, at most.'),
    load: countSchema.optional().describe('How many it performs now.'),
    performed: countSchema.optional().describe('How many it has performed since it began.'),
    buckets: countSchema.optional().describe('Of a controller: how many of the 256 buckets of hosts are its own.'),
    duties: z.array(z.string()).optional().describe('Of a keeper: what it does at the moment, for all.'),
    aside: z
      .strictObject({ why: z.string(), until: date })
      .optional()
      .describe('Of a terminal that is given nothing for a while, because of what it answers.'),
  })
  .openapi('FleetMember')

export type FleetMemberShape = z.infer<typeof fleetMemberSchema>
