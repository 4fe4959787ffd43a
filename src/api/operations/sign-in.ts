/** The sessions of a user, and how they sign in. */
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
  accountSchema,
  credentialInput,
  credentialOptionsSchema,
  passkeyNameInput,
  signInWaysSchema,
  userSessionSchema,
} from '../schemas/sign-in.ts'
import { callerSchema, codeInput } from '../schemas/user.ts'
import { idParams } from '../schemas/values.ts'

export const listSessions = createRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/api/v1/sessions',
  tags: ['session'],
  summary: 'List your sessions, the most recently used first. Tokens cannot list them',
  ...requiresScope('read'),
  responses: {
    200: answer(z.strictObject({ sessions: z.array(userSessionSchema) }), 'The sessions.'),
    ...COMMON_ERRORS,
  },
})

export const endSession = createRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/api/v1/sessions/{id}',
  tags: ['session'],
  summary: 'End one of your sessions',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const endOtherSessions = createRoute({
  operationId: 'endOtherSessions',
  method: 'delete',
  path: '/api/v1/sessions',
  tags: ['session'],
  summary: 'End all your sessions except the current one. Tokens stay valid',
  ...requiresScope('read'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS },
})

export const getSignInWays = createRoute({
  operationId: 'getSignInWays',
  method: 'get',
  path: '/api/v1/sign-in',
  tags: ['session'],
  summary: 'List how users can sign in',
  ...requiresScope('none'),
  responses: { 200: answer(signInWaysSchema, 'The ways.'), ...COMMON_ERRORS },
})

export const startOidc = createRoute({
  operationId: 'startOidc',
  method: 'post',
  path: '/api/v1/sign-in/oidc',
  tags: ['session'],
  summary: 'Start to sign in through the OpenID Connect provider, for a browser. Returns the address to open',
  ...requiresScope('none'),
  request: {
    body: body(
      z.strictObject({
        returnTo: z.string().max(1000).optional().describe('a path of the page, such as /read/all'),
        link: z.boolean().optional().describe('true links the account at the provider to the current user'),
      }),
    ),
  },
  responses: {
    200: answer(z.strictObject({ url: z.string() }), 'The address at the provider.'),
    ...WRITE_ERRORS_WITH_404,
  },
})

export const finishOidc = createRoute({
  operationId: 'finishOidc',
  method: 'post',
  path: '/api/v1/sign-in/oidc/answer',
  tags: ['session'],
  summary: 'Finish to sign in through the OpenID Connect provider, in the same browser',
  ...requiresScope('none'),
  request: {
    body: body(
      z.strictObject({
        answer: z.string().max(6000).describe('the query of the address to which the provider sent the browser'),
      }),
    ),
  },
  responses: {
    200: answer(
      z.strictObject({ session: callerSchema, returnTo: z.string().describe('A path of the page.') }),
      'The new session.',
    ),
    ...WRITE_ERRORS_WITH_404,
    ...CONFLICT,
  },
})

export const endOidcSession = createRoute({
  operationId: 'endOidcSession',
  method: 'post',
  path: '/api/v1/sign-in/oidc/logout',
  tags: ['session'],
  summary: 'Get the address at which the browser ends its session at the OpenID Connect provider',
  ...requiresScope('none'),
  responses: {
    200: answer(
      z.strictObject({ url: z.string().optional().describe('Absent if the provider has none, or does not answer.') }),
      'The address.',
    ),
    ...WRITE_ERRORS_WITH_404,
  },
})

export const getAccount = createRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/api/v1/account',
  tags: ['session'],
  summary: 'Get how you can sign in. Only for browser sessions',
  ...requiresScope('read'),
  responses: { 200: answer(accountSchema, 'The account.'), ...COMMON_ERRORS },
})

export const unlinkIdentity = createRoute({
  operationId: 'unlinkIdentity',
  method: 'delete',
  path: '/api/v1/account/identities/{id}',
  tags: ['session'],
  summary: 'Unlink an account at the OpenID Connect provider. Needs a recent sign-in',
  ...requiresScope('read'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404, ...CONFLICT },
})

export const startSecondFactor = createRoute({
  operationId: 'startSecondFactor',
  method: 'post',
  path: '/api/v1/account/second-factor',
  tags: ['session'],
  summary: 'Start to add a second factor: returns the secret for an authenticator app. Needs a recent sign-in',
  ...requiresScope('read'),
  responses: {
    200: answer(
      z.strictObject({ secret: z.string(), address: z.string().describe('The same as an otpauth address.') }),
      'The secret. It is only returned here.',
    ),
    ...WRITE_ERRORS,
    ...CONFLICT,
  },
})

export const confirmSecondFactor = createRoute({
  operationId: 'confirmSecondFactor',
  method: 'post',
  path: '/api/v1/account/second-factor/confirmation',
  tags: ['session'],
  summary: 'Activate the second factor with a first code. Ends your other browser sessions',
  ...requiresScope('read'),
  request: { body: body(z.strictObject({ code: codeInput })) },
  responses: {
    200: answer(
      z.strictObject({
        recoveryCodes: z.array(z.string()).describe('Each is valid once. They are only returned here.'),
      }),
      'Recovery codes.',
    ),
    ...WRITE_ERRORS,
    ...CONFLICT,
  },
})

export const removeSecondFactor = createRoute({
  operationId: 'removeSecondFactor',
  method: 'delete',
  path: '/api/v1/account/second-factor',
  tags: ['session'],
  summary: 'Remove your second factor. Needs a recent sign-in',
  ...requiresScope('read'),
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const removeSecondFactorOf = createRoute({
  operationId: 'removeSecondFactorOf',
  method: 'delete',
  path: '/api/v1/users/{id}/second-factor',
  tags: ['users'],
  summary: 'Remove the second factor of a user who has lost it',
  ...requiresScope('admin'),
  request: { params: idParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

const passkeyParams = z.object({
  passkey: z
    .string()
    .max(1400)
    .openapi({ param: { name: 'passkey', in: 'path' }, description: 'the id of a passkey' }),
})
const credentialOptions = answer(z.strictObject({ options: credentialOptionsSchema }), 'Valid for five minutes, once.')

export const startPasskey = createRoute({
  operationId: 'startPasskey',
  method: 'post',
  path: '/api/v1/account/passkeys/options',
  tags: ['session'],
  summary: 'Start to add a passkey. Needs a recent sign-in',
  ...requiresScope('read'),
  responses: { 200: credentialOptions, ...WRITE_ERRORS, ...CONFLICT },
})

export const addPasskey = createRoute({
  operationId: 'addPasskey',
  method: 'post',
  path: '/api/v1/account/passkeys',
  tags: ['session'],
  summary: 'Add the passkey that the browser has created',
  ...requiresScope('read'),
  request: { body: body(z.strictObject({ name: passkeyNameInput, credential: credentialInput })) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS, ...CONFLICT },
})

export const renamePasskey = createRoute({
  operationId: 'renamePasskey',
  method: 'patch',
  path: '/api/v1/account/passkeys/{passkey}',
  tags: ['session'],
  summary: 'Rename a passkey. Needs a recent sign-in',
  ...requiresScope('read'),
  request: { params: passkeyParams, body: body(z.strictObject({ name: passkeyNameInput })) },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const removePasskey = createRoute({
  operationId: 'removePasskey',
  method: 'delete',
  path: '/api/v1/account/passkeys/{passkey}',
  tags: ['session'],
  summary: 'Remove a passkey. Needs a recent sign-in',
  ...requiresScope('read'),
  request: { params: passkeyParams },
  responses: { 204: NO_CONTENT, ...WRITE_ERRORS_WITH_404 },
})

export const startPasskeySignIn = createRoute({
  operationId: 'startPasskeySignIn',
  method: 'post',
  path: '/api/v1/sign-in/passkey/options',
  tags: ['session'],
  summary: 'Start to sign in with a passkey',
  ...requiresScope('none'),
  responses: { 200: credentialOptions, ...WRITE_ERRORS, ...CONFLICT },
})

export const signInWithPasskey = createRoute({
  operationId: 'signInWithPasskey',
  method: 'post',
  path: '/api/v1/sign-in/passkey',
  tags: ['session'],
  summary: 'Sign in with a passkey and start a browser session (cookie)',
  ...requiresScope('none'),
  request: { body: body(z.strictObject({ credential: credentialInput })) },
  responses: { 200: answer(callerSchema, 'The new session.'), ...WRITE_ERRORS, ...CONFLICT },
})
