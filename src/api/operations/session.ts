/** Logging in and out, and who is asking. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, body, DONE, EVERYWHERE, TAKEN, WRONG_OR_GONE_WRITE, WRONG_WRITE } from '../operation.ts'
import { askerSchema, passwordGiven, personNameGiven, personSchema } from '../schemas/person.ts'

export const getSession = createRoute({
  operationId: 'getSession',
  method: 'get',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Who is asking, and what he may do',
  ...allowed('none'),
  responses: { 200: answer(askerSchema, 'Who asks.'), ...EVERYWHERE },
})

export const logIn = createRoute({
  operationId: 'logIn',
  method: 'post',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Begins a session of a browser, by a cookie',
  ...allowed('none'),
  request: { body: body(z.strictObject({ name: personNameGiven, password: passwordGiven })) },
  responses: { 200: answer(askerSchema, 'Who is logged in now.'), ...WRONG_WRITE },
})

export const logOut = createRoute({
  operationId: 'logOut',
  method: 'delete',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Ends the session',
  ...allowed('none'),
  responses: { 204: DONE, ...WRONG_WRITE },
})

export const changePassword = createRoute({
  operationId: 'changePassword',
  method: 'put',
  path: '/api/v1/session/password',
  tags: ['session'],
  summary: 'Changes one’s own password; all other sessions and tokens end',
  ...allowed('read'),
  request: { body: body(z.strictObject({ old: passwordGiven, new: passwordGiven })) },
  responses: { 204: DONE, ...WRONG_WRITE },
})

export const setUp = createRoute({
  operationId: 'setUp',
  method: 'post',
  path: '/api/v1/setup',
  tags: ['session'],
  summary: 'Makes the first account, with the secret that the server printed when it began',
  ...allowed('none'),
  request: {
    body: body(
      z.strictObject({
        secret: z.string().max(200).describe('what stands behind the # of the address that the server printed'),
        name: personNameGiven,
        password: passwordGiven,
      }),
    ),
  },
  responses: { 201: answer(personSchema, 'The person.'), ...WRONG_OR_GONE_WRITE, ...TAKEN },
})
