/** How many polls a day there may be. */
import { createRoute } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, CONFLICT, requiresScope, WRITE_ERRORS } from '../operation.ts'
import { budgetInput, budgetSchema } from '../schemas/budget.ts'

export const getBudget = createRoute({
  operationId: 'getBudget',
  method: 'get',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'How many polls there may be a day, who says so, and how early news would be with more or fewer',
  description: 'Some feeds are asked what they expect, and taken for all of them. It is looked at once a minute.',
  ...requiresScope('read'),
  responses: { 200: answer(budgetSchema, 'The budget.'), ...COMMON_ERRORS },
})

export const setBudget = createRoute({
  operationId: 'setBudget',
  method: 'put',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Names another budget, at once and for good',
  description:
    'It is kept in the store. Where the configuration names a budget, that one stands, and naming another is refused.',
  ...requiresScope('admin'),
  request: { body: body(budgetInput) },
  responses: { 200: answer(budgetSchema, 'The budget now.'), ...CONFLICT, ...WRITE_ERRORS },
})
