/** Notifications of the user: devices, saved searches that notify, and digests. */
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
import {
  digestInput,
  digestPreviewSchema,
  emailInput,
  notificationsSchema,
  pushDeviceInput,
  pushDeviceSchema,
} from '../schemas/notifications.ts'
import { idParams } from '../schemas/values.ts'

export const getNotifications = createRoute({
  operationId: 'getNotifications',
  method: 'get',
  path: '/api/v1/notifications',
  tags: ['notifications'],
  summary: 'Get your devices, and what you are notified of',
  ...requiresScope('read'),
  responses: { 200: answer(notificationsSchema, 'Your notifications.'), ...COMMON_ERRORS },
})

export const createPushKey = createRoute({
  operationId: 'createPushKey',
  method: 'post',
  path: '/api/v1/notifications/key',
  tags: ['notifications'],
  summary: 'Get the key with which a browser subscribes. The first call generates it',
  ...requiresScope('write'),
  responses: {
    200: answer(z.strictObject({ publicKey: z.string().describe('A VAPID key, in base64url.') }), 'Your public key.'),
    ...COMMON_ERRORS,
  },
})

export const addPushDevice = createRoute({
  operationId: 'addPushDevice',
  method: 'post',
  path: '/api/v1/notifications/devices',
  tags: ['notifications'],
  summary: 'Send notifications to a browser. Logging out of the session that adds it removes it',
  ...requiresScope('write'),
  request: { body: body(pushDeviceInput) },
  responses: { 201: answer(pushDeviceSchema, 'The device.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const removePushDevice = createRoute({
  operationId: 'removePushDevice',
  method: 'delete',
  path: '/api/v1/notifications/devices/{id}',
  tags: ['notifications'],
  summary: 'Send no more notifications to a browser',
  ...requiresScope('write'),
  request: { params: z.object({ id: z.string().max(100).describe('the id of a device') }) },
  responses: { 204: NO_CONTENT, ...ERRORS_WITH_404 },
})

export const testNotifications = createRoute({
  operationId: 'testNotifications',
  method: 'post',
  path: '/api/v1/notifications/test',
  tags: ['notifications'],
  summary: 'Send a test notification to your devices. The result is in the devices',
  ...requiresScope('write'),
  responses: { 200: answer(notificationsSchema, 'Your notifications now.'), ...COMMON_ERRORS, ...CONFLICT },
})

export const setSearchNotification = createRoute({
  operationId: 'setSearchNotification',
  method: 'put',
  path: '/api/v1/notifications/searches/{id}',
  tags: ['notifications'],
  summary: 'Choose whether new results of a saved search notify you',
  ...requiresScope('write'),
  request: { params: idParams, body: body(z.strictObject({ notify: z.boolean().describe('true or false') })) },
  responses: { 200: answer(notificationsSchema, 'Your notifications now.'), ...WRITE_ERRORS_WITH_404 },
})

export const setDigest = createRoute({
  operationId: 'setDigest',
  method: 'put',
  path: '/api/v1/notifications/digest',
  tags: ['notifications'],
  summary: 'Choose when you get a digest, and of what. The first one is the next that is due',
  ...requiresScope('write'),
  request: { body: body(digestInput) },
  responses: { 200: answer(notificationsSchema, 'Your notifications now.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const removeDigest = createRoute({
  operationId: 'removeDigest',
  method: 'delete',
  path: '/api/v1/notifications/digest',
  tags: ['notifications'],
  summary: 'Make no more digests',
  ...requiresScope('write'),
  responses: { 204: NO_CONTENT, ...COMMON_ERRORS },
})

export const previewDigest = createRoute({
  operationId: 'previewDigest',
  method: 'get',
  path: '/api/v1/notifications/digest/preview',
  tags: ['notifications'],
  summary: 'Get the digest that you would get now',
  ...requiresScope('read'),
  responses: { 200: answer(digestPreviewSchema, 'The digest.'), ...COMMON_ERRORS },
})

export const setEmail = createRoute({
  operationId: 'setEmail',
  method: 'put',
  path: '/api/v1/notifications/email',
  tags: ['notifications'],
  summary: 'Set your e-mail address. It gets a link that confirms it',
  ...requiresScope('write'),
  request: { body: body(emailInput) },
  responses: { 200: answer(notificationsSchema, 'Your notifications now.'), ...WRITE_ERRORS, ...CONFLICT },
})

export const removeEmail = createRoute({
  operationId: 'removeEmail',
  method: 'delete',
  path: '/api/v1/notifications/email',
  tags: ['notifications'],
  summary: 'Remove your e-mail address',
  ...requiresScope('write'),
  responses: { 204: NO_CONTENT, ...COMMON_ERRORS },
})
