/** Copies and stories. */
import { z } from '@hono/zod-openapi'
import { entrySchema } from './entry.ts'
import { countSchema, date, id, share } from './values.ts'

const levelSchema = z.enum(['copy', 'story'])
const comparedBySchema = z.enum(['entry', 'article']).describe('Which of its texts was compared.')

export const groupSchema = z
  .strictObject({
    id,
    level: levelSchema,
    size: countSchema,
    distanceSum: z
      .number()
      .describe('Of the SimHashes of the earliest 32 entries, which are all in most groups, to the primary’s.'),
    firstAt: date,
    lastAt: date,
    primary: entrySchema.optional().describe('Speaks for the others.'),
  })
  .openapi('Group')

export type GroupShape = z.infer<typeof groupSchema>

export const memberSchema = z
  .strictObject({
    entry: entrySchema,
    at: date.describe('When it was said: published, or else seen.'),
    distance: z.number().describe('Bits, of 64, in which its SimHash differs from the primary’s.'),
    comparedBy: comparedBySchema,
    likeId: id.optional().describe('The entry that it was found to be like.'),
    likeness: share.optional(),
    reason: z.string().optional().describe('Why it belongs.'),
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
  .describe('Without a group at a level, an entry is alone there.')
  .openapi('GroupsOfEntry')

export type GroupsOfEntryShape = z.infer<typeof groupsOfEntrySchema>

const wordChanges = z.array(z.strictObject({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }))

const followerSchema = z
  .strictObject({
    ...memberSchema.shape,
    afterMs: z.number().describe('After the first.'),
    from: id.describe('The earlier entry that it is nearest to.'),
    distanceFrom: z.number().describe('How far from it.'),
    title: wordChanges.describe('What it says otherwise than that one, word by word.'),
    text: wordChanges,
  })
  .openapi('Follower')

export type FollowerShape = z.infer<typeof followerSchema>

export const lineageSchema = z
  .strictObject({
    group: groupSchema.optional().describe('Without one, nobody else said it.'),
    first: entrySchema,
    followers: z.array(followerSchema).describe('In the order of time.'),
    more: z.boolean().describe('There are more than are shown.'),
    moves: z.array(moveSchema).describe('How the entry that was asked for has moved between groups.'),
  })
  .openapi('Lineage')

export type LineageShape = z.infer<typeof lineageSchema>

export const groupDetailsSchema = z
  .strictObject({ group: groupSchema, members: z.array(memberSchema), more: z.boolean() })
  .openapi('WholeGroup')
