/** User accounts and API tokens. */
import { createRoute, z } from '@hono/zod-openapi'
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
import { passwordInput, scopeSchema, tokenSchema, userNameInput, userSchema } from '../schemas/user.ts'
import { idParam, idParams } from '../schemas/values.ts'

export const listUsers = createRoute({
  operationId: 'listUsers',
  method: 'get',
  path: '/api/v1/users',
  tags: ['users'],
  summary: 'List accounts',
  ...requiresScope('admin'),
  responses: { 200: answer(z.strictObject({ users: z.array(userSchema) }), 'The users.'), ...COMMON_ERRORS },
})

export const addUser = createRoute({
  operationId: 'addUser',
  method: 'post',
  path: '/api/v1/users',
  tags: ['users'],
  summary: 'Add an account. Once there is one, everybody has to log in',
  ...requiresScope('admin'),
  request: {
    body: body(z.strictObject({ name: userNameInput, password: passwordInput, scope: scopeSchema.optional() })),
  },
  responses: { 201: answer(userSchema, 'The user.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editUser = createRoute({
  operationId: 'editUser',
  method: 'patch',
  path: '/api/v1/users/{id}',
  tags: ['users'],
  summary: 'Change the access or the password of a user. Less access or a new password ends their sessions',
  ...requiresScope('admin'),
  request: {
    params: idParams,
    body: body(z.strictObject({ scope: scopeSchema.optional(), password: passwordInput.optional() })),
  },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeUser = createRoute({
  operationId: 'removeUser',
  method: 'delete',
  path: '/api/v1/users/{id}',
  tags: ['users'],
  summary: 'Remove an account, with its sessions and tokens',
  ...requiresScope('admin'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const listTokens = createRoute({
  operationId: 'listTokens',
  method: 'get',
  path: '/api/v1/users/{id}/tokens',
  tags: ['users'],
  summary: 'List the API tokens of a user. Admins can list those of all users',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(z.strictObject({ tokens: z.array(tokenSchema) }), 'The tokens.'), ...ERRORS_WITH_404 },
})

export const addToken = createRoute({
  operationId: 'addToken',
  method: 'post',
  path: '/api/v1/users/{id}/tokens',
  tags: ['users'],
  summary: 'Create an API token. The secret is only returned here',
  ...requiresScope('read'),
  request: {
    params: idParams,
    body: body(
      z.strictObject({
        name: z.string().min(1).max(100).describe('the program that uses the token'),
        scope: scopeSchema,
        for: z
          .enum(['fever', 'corpus'])
          .optional()
          .describe(
            '"fever": the secret is the password for a Fever client. "corpus": reads and exports the whole crawl except private feeds; only admins can create it. Neither works for anything else',
          ),
      }),
    ),
  },
  responses: {
    201: answer(z.strictObject({ token: tokenSchema, secret: z.string() }), 'The token.'),
    ...WRITE_ERRORS_WITH_404,
    ...CONFLICT,
  },
})

export const revokeToken = createRoute({
  operationId: 'revokeToken',
  method: 'delete',
  path: '/api/v1/users/{id}/tokens/{token}',
  tags: ['users'],
  summary: 'Revoke an API token',
  ...requiresScope('read'),
  request: { params: z.object({ id: idParam, token: idParam }) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
