/** Groups of copies and stories. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { countSchema, date, id, share } from './values.ts'

const levelSchema = z.enum(['copy', 'story'])
const comparedBySchema = z
  .enum(['entry', 'article'])
  .describe('Which of its texts was compared: the feed’s or the article’s.')

export const groupSchema = z
  .strictObject({
    id,
    level: levelSchema,
    size: countSchema,
    distanceSum: z.number().describe('Sum of the SimHash distances from the earliest 32 entries to the primary.'),
    firstAt: date,
    lastAt: date,
    primary: entrySchema.optional().describe('The entry that represents the group.'),
  })
  .openapi('Group')

export type GroupShape = z.infer<typeof groupSchema>

export const memberSchema = z
  .strictObject({
    entry: entrySchema,
    at: date.describe('Published, or else seen.'),
    distance: z.number().describe('Number of bits, of 64, in which its SimHash differs from the primary’s.'),
    comparedBy: comparedBySchema,
    likeId: id.optional().describe('The entry it matched.'),
    likeness: share.optional(),
    reason: z.string().optional().describe('Why it is in the group.'),
  })
  .openapi('Member')

export type MemberShape = z.infer<typeof memberSchema>

const moveSchema = z
  .strictObject({ level: levelSchema, at: date, from: id.optional(), to: id.optional(), comparedBy: comparedBySchema })
  .openapi('Move')

export type MoveShape = z.infer<typeof moveSchema>

const placeSchema = z.strictObject({ group: groupSchema, as: memberSchema })

export const groupsOfEntrySchema = z
  .strictObject({ copy: placeSchema.optional(), story: placeSchema.optional(), moves: z.array(moveSchema) })
  .describe('A level is absent if the entry has no group at this level.')
  .openapi('GroupsOfEntry')

export type GroupsOfEntryShape = z.infer<typeof groupsOfEntrySchema>

const wordChanges = z.array(z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }))

const followerSchema = z
  .strictObject({
    ...memberSchema.shape,
    afterMs: z.number().describe('Delay after the first entry.'),
    from: id.describe('The most similar earlier entry.'),
    distanceFrom: z.number().describe('SimHash distance to that entry.'),
    title: wordChanges.describe('Differences from that entry, word by word.'),
    text: wordChanges,
  })
  .openapi('Follower')

export type FollowerShape = z.infer<typeof followerSchema>

export const lineageSchema = z
  .strictObject({
    group: groupSchema.optional().describe('Absent if it has no copies.'),
    first: entrySchema,
    followers: z.array(followerSchema).describe('Ordered by date.'),
    more: z.boolean().describe('There are more than listed.'),
    moves: z.array(moveSchema).describe('Moves of the requested entry between groups.'),
  })
  .openapi('Lineage')

export type LineageShape = z.infer<typeof lineageSchema>

export const groupDetailsSchema = z
  .strictObject({ group: groupSchema, members: z.array(memberSchema), more: z.boolean() })
  .openapi('GroupDetails')
