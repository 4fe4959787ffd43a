/** Logging in and out, and who is asking. */
import { createRoute, z } from '@hono/zod-openapi'
import { allowed, answer, body, DONE, EVERYWHERE, TAKEN, WRONG_OR_GONE_WRITE, WRONG_WRITE } from '../operation.ts'
import {
  allowanceSchema,
  askerSchema,
  passwordGiven,
  personNameGiven,
  personSchema,
  tokenSchema,
} from '../schemas/person.ts'

export const getSession = createRoute({
  operationId: 'getSession',
  method: 'get',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Get the current user and their access',
  ...allowed('none'),
  responses: { 200: answer(askerSchema, 'Who asks.'), ...EVERYWHERE },
})

export const logIn = createRoute({
  operationId: 'logIn',
  method: 'post',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Log in and start a browser session (cookie)',
  ...allowed('none'),
  request: { body: body(z.strictObject({ name: personNameGiven, password: passwordGiven })) },
  responses: { 200: answer(askerSchema, 'Who is logged in now.'), ...WRONG_WRITE },
})

export const logInProgram = createRoute({
  operationId: 'logInProgram',
  method: 'post',
  path: '/api/v1/session/token',
  tags: ['session'],
  summary: 'Create an API token with user name and password. The secret is only returned here',
  ...allowed('none'),
  request: {
    body: body(
      z.strictObject({
        name: personNameGiven,
        password: passwordGiven,
        token: z.string().min(1).max(100).describe('for which program the token is, in at most 100 characters'),
        allows: allowanceSchema.optional(),
      }),
    ),
  },
  responses: {
    201: answer(z.strictObject({ token: tokenSchema, secret: z.string() }), 'The token.'),
    ...WRONG_WRITE,
    ...TAKEN,
  },
})

export const logOut = createRoute({
  operationId: 'logOut',
  method: 'delete',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Log out: end the current session or revoke the current token',
  ...allowed('none'),
  responses: { 204: DONE, ...WRONG_WRITE },
})

export const changePassword = createRoute({
  operationId: 'changePassword',
  method: 'put',
  path: '/api/v1/session/password',
  tags: ['session'],
  summary: 'Change your password. Ends all other sessions and tokens',
  ...allowed('read'),
  request: { body: body(z.strictObject({ old: passwordGiven, new: passwordGiven })) },
  responses: { 204: DONE, ...WRONG_WRITE },
})

export const setUp = createRoute({
  operationId: 'setUp',
  method: 'post',
  path: '/api/v1/setup',
  tags: ['session'],
  summary: 'Create the first account, with the secret that the server printed at startup',
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
