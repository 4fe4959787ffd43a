/** Rules that are applied to new entries. */
import { createRoute, z } from '@hono/zod-openapi'
import { MAX_RULES } from '../../model/index.ts'
import {
  answer,
  body,
  COMMON_ERRORS,
  CONFLICT,
  NO_CONTENT,
  requiresScope,
  WRITE_ERRORS,
  WRITE_ERRORS_WITH_404,
} from '../operation.ts'
import { ruleInput, rulePreviewSchema, ruleQuerySchema, ruleSchema, ruleScopeSchema } from '../schemas/rule.ts'
import { countSchema, id } from '../schemas/values.ts'

const rulesSchema = z.strictObject({ rules: z.array(ruleSchema) })
const ruleParams = z.object({ id: z.string().min(1).max(100) })

export const listRules = createRoute({
  operationId: 'listRules',
  method: 'get',
  path: '/api/v1/rules',
  tags: ['rules'],
  summary: 'List your rules in the order in which they are applied',
  ...requiresScope('read'),
  responses: { 200: answer(rulesSchema, 'The rules.'), ...COMMON_ERRORS },
})

export const addRule = createRoute({
  operationId: 'addRule',
  method: 'post',
  path: '/api/v1/rules',
  tags: ['rules'],
  summary: 'Add a rule as the last one',
  description: 'It is applied to entries that arrive from now on. For earlier ones, POST to its apply.',
  ...requiresScope('write'),
  request: { body: body(ruleInput) },
  responses: { 201: answer(ruleSchema, 'The rule.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const replaceRules = createRoute({
  operationId: 'replaceRules',
  method: 'put',
  path: '/api/v1/rules',
  tags: ['rules'],
  summary: 'Replace all rules, to import or reorder them',
  description:
    'Rules with the id of an existing rule keep its counts; others get a new id. Rules of freshet.toml stay.',
  ...requiresScope('write'),
  request: {
    body: body(
      z.strictObject({
        rules: z
          .array(ruleInput.extend({ id: z.string().min(1).max(100).optional() }))
          .max(MAX_RULES)
          .describe(`a list of rules, at most ${MAX_RULES}`),
      }),
    ),
  },
  responses: { 200: answer(rulesSchema, 'The rules now.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editRule = createRoute({
  operationId: 'editRule',
  method: 'patch',
  path: '/api/v1/rules/{id}',
  tags: ['rules'],
  summary: 'Change a rule or move it',
  ...requiresScope('write'),
  request: {
    params: ruleParams,
    body: body(
      ruleInput
        .partial()
        .extend({ position: z.int().min(0).max(MAX_RULES).describe('its new index, from 0').optional() }),
    ),
  },
  responses: { 200: answer(ruleSchema, 'The rule now.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeRule = createRoute({
  operationId: 'removeRule',
  method: 'delete',
  path: '/api/v1/rules/{id}',
  tags: ['rules'],
  summary: 'Remove a rule. What it did stays',
  ...requiresScope('write'),
  request: { params: ruleParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const previewRule = createRoute({
  operationId: 'previewRule',
  method: 'post',
  path: '/api/v1/rules/preview',
  tags: ['rules'],
  summary: 'Find what a rule would have matched, without changing anything',
  ...requiresScope('write'),
  request: { body: body(z.strictObject({ query: ruleQuerySchema, scope: ruleScopeSchema.optional() })) },
  responses: { 200: answer(rulePreviewSchema, 'What matched.'), ...WRITE_ERRORS },
})

export const applyRule = createRoute({
  operationId: 'applyRule',
  method: 'post',
  path: '/api/v1/rules/{id}/apply',
  tags: ['rules'],
  summary: 'Apply a rule to old entries, newest first, some hundred at a time',
  description: 'Repeat with `next` as `before` until the response has no next.',
  ...requiresScope('write'),
  request: {
    params: ruleParams,
    body: body(z.strictObject({ before: id.describe('the id of an entry: only earlier ones').optional() })),
  },
  responses: {
    200: answer(
      z.strictObject({
        checked: countSchema,
        matched: countSchema,
        changed: countSchema.describe('Number of entries that changed.'),
        next: id.optional().describe('Continue before this entry. Absent at the end.'),
      }),
      'What was done.',
    ),
    ...WRITE_ERRORS_WITH_404,
  },
})
