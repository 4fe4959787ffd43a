/** How many polls a day there may be. */
import { createRoute } from '@hono/zod-openapi'
import { allowed, answer, body, EVERYWHERE, TAKEN, WRONG_WRITE } from '../operation.ts'
import { budgetGiven, budgetSchema } from '../schemas/budget.ts'

export const getBudget = createRoute({
  operationId: 'getBudget',
  method: 'get',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'How many polls there may be a day, who says so, and how early news would be with more or fewer',
  description: 'Some feeds are asked what they expect, and taken for all of them. It is looked at once a minute.',
  ...allowed('read'),
  responses: { 200: answer(budgetSchema, 'The budget.'), ...EVERYWHERE },
})

export const nameBudget = createRoute({
  operationId: 'nameBudget',
  method: 'put',
  path: '/api/v1/budget',
  tags: ['folders'],
  summary: 'Names another budget, at once and for good',
  description:
    'It is kept in the store. Where the configuration names a budget, that one stands, and naming another is refused.',
  ...allowed('admin'),
  request: { body: body(budgetGiven) },
  responses: { 200: answer(budgetSchema, 'The budget now.'), ...TAKEN, ...WRONG_WRITE },
})
