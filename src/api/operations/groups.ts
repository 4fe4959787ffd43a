/** Groups of copies and stories. */
import { createRoute, z } from '@hono/zod-openapi'
import { answer, ERRORS_WITH_404, READ_ERRORS, requiresScope, WRITE_ERRORS } from '../operation.ts'
import { groupDetailsSchema, groupSchema } from '../schemas/group.ts'
import {
  countSchema,
  cursorParam,
  dateParam,
  idParams,
  next,
  oneOf,
  scopeParam,
  trueOrFalse,
  wholeNumber,
} from '../schemas/values.ts'

export const listGroups = createRoute({
  operationId: 'listGroups',
  method: 'get',
  path: '/api/v1/groups',
  tags: ['groups'],
  summary: 'List groups of copies or stories, recent or large ones first',
  description: 'Covers the newest 10,000 entries you may read. Members you may not read are neither shown nor counted.',
  ...requiresScope('read'),
  request: {
    query: z.strictObject({
      level: oneOf('copy', 'story').optional(),
      order: oneOf('recent', 'large').optional(),
      since: dateParam.optional(),
      least: wholeNumber(2, 1_000_000).optional(),
      scope: scopeParam.optional(),
      excerpts: trueOrFalse.optional().describe('true: with the beginning of the text of each primary'),
      cursor: cursorParam.optional(),
      limit: wholeNumber(1, 500).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ groups: z.array(groupSchema), next }), 'The groups.'), ...READ_ERRORS },
})

export const getGroup = createRoute({
  operationId: 'getGroup',
  method: 'get',
  path: '/api/v1/groups/{id}',
  tags: ['groups'],
  summary: 'Get a group with its members, oldest first',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(groupDetailsSchema, 'The group.'), ...ERRORS_WITH_404 },
})

export const regroupEntries = createRoute({
  operationId: 'regroupEntries',
  method: 'post',
  path: '/api/v1/groups/again',
  tags: ['groups'],
  summary: 'Group all entries within the group window again',
  ...requiresScope('admin'),
  responses: {
    202: answer(z.strictObject({ waiting: countSchema }), 'The number of queued entries.'),
    ...WRITE_ERRORS,
  },
})
