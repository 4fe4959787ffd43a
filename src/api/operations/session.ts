/** Login, logout, and the current session. */
import { createRoute, z } from '@hono/zod-openapi'
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
import {
  callerSchema,
  codeInput,
  passwordInput,
  scopeSchema,
  tokenSchema,
  userNameInput,
  userSchema,
} from '../schemas/user.ts'

export const getSession = createRoute({
  operationId: 'getSession',
  method: 'get',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Get the current user and their access',
  ...requiresScope('none'),
  responses: { 200: answer(callerSchema, 'The current session.'), ...COMMON_ERRORS },
})

export const logIn = createRoute({
  operationId: 'logIn',
  method: 'post',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Log in and start a browser session (cookie)',
  ...requiresScope('none'),
  request: { body: body(z.strictObject({ name: userNameInput, password: passwordInput, code: codeInput.optional() })) },
  responses: { 200: answer(callerSchema, 'The new session.'), ...WRITE_ERRORS },
})

export const logInProgram = createRoute({
  operationId: 'logInProgram',
  method: 'post',
  path: '/api/v1/session/token',
  tags: ['session'],
  summary: 'Create an API token with user name and password. The secret is only returned here',
  ...requiresScope('none'),
  request: {
    body: body(
      z.strictObject({
        name: userNameInput,
        password: passwordInput,
        code: codeInput.optional(),
        token: z.string().min(1).max(100).describe('the program that uses the token, at most 100 characters'),
        scope: scopeSchema.optional(),
      }),
    ),
  },
  responses: {
    201: answer(z.strictObject({ token: tokenSchema, secret: z.string() }), 'The token.'),
    ...WRITE_ERRORS,
    ...CONFLICT,
  },
})

export const logOut = createRoute({
  operationId: 'logOut',
  method: 'delete',
  path: '/api/v1/session',
  tags: ['session'],
  summary: 'Log out: end the current session or revoke the current token',
  ...requiresScope('none'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})

export const changePassword = createRoute({
  operationId: 'changePassword',
  method: 'put',
  path: '/api/v1/session/password',
  tags: ['session'],
  summary: 'Change your password. Ends all other sessions and tokens',
  ...requiresScope('read'),
  request: { body: body(z.strictObject({ old: passwordInput, new: passwordInput })) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})

export const setUp = createRoute({
  operationId: 'setUp',
  method: 'post',
  path: '/api/v1/setup',
  tags: ['session'],
  summary: 'Create the first account, with the secret that the server printed at startup',
  ...requiresScope('none'),
  request: {
    body: body(
      z.strictObject({
        secret: z.string().max(200).describe('the part after # of the address that the server printed'),
        name: userNameInput,
        password: passwordInput,
      }),
    ),
  },
  responses: { 201: answer(userSchema, 'The user.'), ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})
