/** Accounts, and the tokens of their programs. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  allowed,
  answer,
  body,
  DONE,
  EVERYWHERE,
  TAKEN,
  WRONG_OR_GONE,
  WRONG_OR_GONE_WRITE,
  WRONG_WRITE,
} from '../operation.ts'
import { allowanceSchema, passwordGiven, personNameGiven, personSchema, tokenSchema } from '../schemas/person.ts'
import { idGiven, idParams } from '../schemas/values.ts'

export const listPeople = createRoute({
  operationId: 'listPeople',
  method: 'get',
  path: '/api/v1/people',
  tags: ['people'],
  summary: 'List accounts',
  ...allowed('admin'),
  responses: { 200: answer(z.strictObject({ people: z.array(personSchema) }), 'The people.'), ...EVERYWHERE },
})

export const addPerson = createRoute({
  operationId: 'addPerson',
  method: 'post',
  path: '/api/v1/people',
  tags: ['people'],
  summary: 'Add an account. Once there is one, everybody has to log in',
  ...allowed('admin'),
  request: {
    body: body(z.strictObject({ name: personNameGiven, password: passwordGiven, allows: allowanceSchema.optional() })),
  },
  responses: { 201: answer(personSchema, 'The person.'), ...WRONG_WRITE, ...TAKEN },
})

export const editPerson = createRoute({
  operationId: 'editPerson',
  method: 'patch',
  path: '/api/v1/people/{id}',
  tags: ['people'],
  summary: 'Change the access or the password of a user. Less access or a new password ends their sessions',
  ...allowed('admin'),
  request: {
    params: idParams,
    body: body(z.strictObject({ allows: allowanceSchema.optional(), password: passwordGiven.optional() })),
  },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE, ...TAKEN },
})

export const removePerson = createRoute({
  operationId: 'removePerson',
  method: 'delete',
  path: '/api/v1/people/{id}',
  tags: ['people'],
  summary: 'Remove an account, with its sessions and tokens',
  ...allowed('admin'),
  request: { params: idParams },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE, ...TAKEN },
})

export const listTokens = createRoute({
  operationId: 'listTokens',
  method: 'get',
  path: '/api/v1/people/{id}/tokens',
  tags: ['people'],
  summary: 'List the API tokens of a user. Admins can list those of all users',
  ...allowed('read'),
  request: { params: idParams },
  responses: { 200: answer(z.strictObject({ tokens: z.array(tokenSchema) }), 'The tokens.'), ...WRONG_OR_GONE },
})

export const addToken = createRoute({
  operationId: 'addToken',
  method: 'post',
  path: '/api/v1/people/{id}/tokens',
  tags: ['people'],
  summary: 'Create an API token. The secret is only returned here',
  ...allowed('read'),
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
    ...WRONG_OR_GONE_WRITE,
    ...TAKEN,
  },
})

export const revokeToken = createRoute({
  operationId: 'revokeToken',
  method: 'delete',
  path: '/api/v1/people/{id}/tokens/{token}',
  tags: ['people'],
  summary: 'Revoke an API token',
  ...allowed('read'),
  request: { params: z.object({ id: idGiven, token: idGiven }) },
  responses: { 204: DONE, ...WRONG_OR_GONE_WRITE },
})
