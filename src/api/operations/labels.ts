/** Labels that a user gives to entries. */
import { createRoute, z } from '@hono/zod-openapi'
import { MAX_ENTRY_LABEL_LENGTH } from '../../model/index.ts'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  ERRORS_WITH_404,
  NO_CONTENT,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import { labelName } from '../schemas/label.ts'
import { entryIds } from '../schemas/read-state.ts'
import { countSchema, id } from '../schemas/values.ts'

const labelNames = z.array(labelName).max(20).describe('names of labels, at most 20')
const labelParams = z.object({ label: z.string().min(1).max(MAX_ENTRY_LABEL_LENGTH) })

export const listLabels = createRoute({
  operationId: 'listLabels',
  method: 'get',
  path: '/api/v1/labels',
  tags: ['labels'],
  summary: 'List your labels with the number of their entries',
  ...requiresScope('read'),
  responses: {
    200: answer(
      z.strictObject({ labels: z.array(z.strictObject({ name: z.string(), entries: countSchema })) }),
      'The labels, by name.',
    ),
    ...COMMON_ERRORS,
  },
})

export const labelEntries = createRoute({
  operationId: 'labelEntries',
  method: 'post',
  path: '/api/v1/labels/entries',
  tags: ['labels'],
  summary: 'Add labels to entries, or remove labels from them',
  description: 'Labels that do not exist are created. Names are unique ignoring case.',
  ...requiresScope('write'),
  request: {
    body: body(
      z
        .strictObject({ entries: entryIds, add: labelNames.optional(), remove: labelNames.optional() })
        .refine(({ add = [], remove = [] }) => add.length + remove.length > 0, 'add or remove is required'),
    ),
  },
  responses: {
    200: answer(z.strictObject({ changed: z.array(id).describe('Entries that changed.') }), 'The changed entries.'),
    ...WRITE_ERRORS,
    ...CONFLICT,
  },
})

export const renameLabel = createRoute({
  operationId: 'renameLabel',
  method: 'patch',
  path: '/api/v1/labels/{label}',
  tags: ['labels'],
  summary: 'Rename a label',
  ...requiresScope('write'),
  request: { params: labelParams, body: body(z.strictObject({ name: labelName })) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeLabel = createRoute({
  operationId: 'removeLabel',
  method: 'delete',
  path: '/api/v1/labels/{label}',
  tags: ['labels'],
  summary: 'Remove a label, also from its entries',
  ...requiresScope('write'),
  request: { params: labelParams },
  responses: { 204: NO_CONTENT, ...ERRORS_WITH_404 },
})
