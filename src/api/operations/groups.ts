/** Copies of one text, and tellings of one story. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, WRONG, WRONG_OR_GONE, WRONG_WRITE } from '../operation.ts'
import { groupSchema, wholeGroupSchema } from '../schemas/group.ts'
import { cursorGiven, dateGiven, howMany, idParams, next, oneOf, scopeGiven, wholeNumber } from '../schemas/values.ts'

export const listGroups = createRoute({
  operationId: 'listGroups',
  method: 'get',
  path: '/api/v1/groups',
  tags: ['groups'],
  summary: 'List groups of copies or stories, recent or large ones first',
  description:
    'Of the entries that you may read, the newest 10,000; members that you may not read are neither shown nor counted.',
  ...allowed('read'),
  request: {
    query: z.strictObject({
      level: oneOf('copy', 'story').optional(),
      order: oneOf('recent', 'large').optional(),
      since: dateGiven.optional(),
      least: wholeNumber(2, 1_000_000).optional(),
      scope: scopeGiven.optional(),
      cursor: cursorGiven.optional(),
      limit: wholeNumber(1, 500).optional(),
    }),
  },
  responses: { 200: answer(z.strictObject({ groups: z.array(groupSchema), next }), 'The groups.'), ...WRONG },
})

export const getGroup = createRoute({
  operationId: 'getGroup',
  method: 'get',
  path: '/api/v1/groups/{id}',
  tags: ['groups'],
  summary: 'Get a group with its members, oldest first',
  ...allowed('read'),
  request: { params: idParams },
  responses: { 200: answer(wholeGroupSchema, 'The group.'), ...WRONG_OR_GONE },
})

export const placeAgain = createRoute({
  operationId: 'placeAgain',
  method: 'post',
  path: '/api/v1/groups/again',
  tags: ['groups'],
  summary: 'Group all entries within the group window again',
  ...allowed('admin'),
  responses: { 202: answer(z.strictObject({ waiting: howMany }), 'How many entries wait for it.'), ...WRONG_WRITE },
})
