/** How many polls a day there may be. */
import { createRoute } from '@hono/zod-openapi'
import { allowed, answer, body, EVERYWHERE, TAKEN, WRONG_WRITE } from '../operation.ts'
import { budgetGiven, budgetSchema } from '../schemas/budget.ts'

export const getBudget = createRoute({
  operationId: 'getBudget',
  method: 'get',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Get the poll budget, its source, and the expected delay with other budgets',
  description: 'Estimated from a sample of feeds, once a minute.',
  ...allowed('read'),
  responses: { 200: answer(budgetSchema, 'The budget.'), ...EVERYWHERE },
})

export const nameBudget = createRoute({
  operationId: 'nameBudget',
  method: 'put',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Set the poll budget',
  description:
    'It is kept in the store. Where the configuration names a budget, that one stands, and naming another is refused.',
  ...allowed('admin'),
  request: { body: body(budgetGiven) },
  responses: { 200: answer(budgetSchema, 'The budget now.'), ...TAKEN, ...WRONG_WRITE },
})
