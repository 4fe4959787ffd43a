/** Logging in and out, and who is asking. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, body, DONE, EVERYWHERE, WRONG_WRITE } from '../operation.ts'
import { askerSchema, passwordGiven, personNameGiven } from '../schemas/person.ts'

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
