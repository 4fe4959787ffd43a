/** Accounts, and the tokens of their programs. */
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
import { allowanceSchema, passwordInput, personSchema, tokenSchema, userNameInput } from '../schemas/user.ts'
import { idParam, idParams } from '../schemas/values.ts'

export const listUsers = createRoute({
  operationId: 'listUsers',
  method: 'get',
  path: '/api/v1/people',
  tags: ['people'],
  summary: 'List accounts',
  ...requiresScope('admin'),
  responses: { 200: answer(z.strictObject({ people: z.array(personSchema) }), 'The people.'), ...COMMON_ERRORS },
})

export const addUser = createRoute({
  operationId: 'addUser',
  method: 'post',
  path: '/api/v1/people',
  tags: ['people'],
  summary: 'Add an account. Once there is one, everybody has to log in',
  ...requiresScope('admin'),
  request: {
    body: body(z.strictObject({ name: userNameInput, password: passwordInput, allows: allowanceSchema.optional() })),
  },
  responses: { 201: answer(personSchema, 'The person.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const editUser = createRoute({
  operationId: 'editUser',
  method: 'patch',
  path: '/api/v1/people/{id}',
  tags: ['people'],
  summary: 'Change the access or the password of a user. Less access or a new password ends their sessions',
  ...requiresScope('admin'),
  request: {
    params: idParams,
    body: body(z.strictObject({ allows: allowanceSchema.optional(), password: passwordInput.optional() })),
  },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const removeUser = createRoute({
  operationId: 'removeUser',
  method: 'delete',
  path: '/api/v1/people/{id}',
  tags: ['people'],
  summary: 'Remove an account, with its sessions and tokens',
  ...requiresScope('admin'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const listTokens = createRoute({
  operationId: 'listTokens',
  method: 'get',
  path: '/api/v1/people/{id}/tokens',
  tags: ['people'],
  summary: 'List the API tokens of a user. Admins can list those of all users',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 200: answer(z.strictObject({ tokens: z.array(tokenSchema) }), 'The tokens.'), ...ERRORS_WITH_404 },
})

export const addToken = createRoute({
  operationId: 'addToken',
  method: 'post',
  path: '/api/v1/people/{id}/tokens',
  tags: ['people'],
  summary: 'Create an API token. The secret is only returned here',
  ...requiresScope('read'),
  request: {
    params: idParams,
    body: body(
      z.strictObject({
        name: z.string().min(1).max(100).describe('for which program it is'),
        allows: allowanceSchema,
        for: z
          .enum(['fever', 'corpus'])
          .optional()
          .describe(
            '"fever": the secret is the password of a program that knows only the Fever API. "corpus", which an admin grants: it reads and exports the whole crawl but private feeds. Neither serves for anything else',
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
  path: '/api/v1/people/{id}/tokens/{token}',
  tags: ['people'],
  summary: 'Revoke an API token',
  ...requiresScope('read'),
  request: { params: z.object({ id: idParam, token: idParam }) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})
