/** The poll budget. */
import { createRoute } from '@hono/zod-openapi'
import { answer, body, COMMON_ERRORS, CONFLICT, requiresScope, WRITE_ERRORS } from '../operation.ts'
import { budgetInput, budgetSchema } from '../schemas/budget.ts'

export const getBudget = createRoute({
  operationId: 'getBudget',
  method: 'get',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Get the poll budget, its source, and the expected delay with other budgets',
  description: 'Estimated from a sample of feeds, once a minute.',
  ...requiresScope('read'),
  responses: { 200: answer(budgetSchema, 'The budget.'), ...COMMON_ERRORS },
})

export const setBudget = createRoute({
  operationId: 'setBudget',
  method: 'put',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Set the poll budget',
  description:
    'Stored in the store. If the configuration sets a budget, it takes precedence and this operation is rejected.',
  ...requiresScope('admin'),
  request: { body: body(budgetInput) },
  responses: { 200: answer(budgetSchema, 'The budget now.'), ...CONFLICT, ...WRITE_ERRORS },
})
