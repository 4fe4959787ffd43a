/** Notifications: devices, and what they are notified of. */
import { z } from '@hono/zod-openapi'
import { countSchema, date, id } from './values.ts'

const base64url = (length: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${length}}=*$`))
    .describe(what)

export const pushDeviceInput = z.strictObject({
  endpoint: z
    .string()
    .max(1000)
    .refine((text) => /^https:\/\/[^\s@]+$/i.test(text) && URL.canParse(text))
    .describe('an address that starts with https://, without credentials'),
  keys: z
    .strictObject({
      p256dh: base64url(87, 'a public key in base64url'),
      auth: base64url(22, 'a secret of 16 bytes in base64url'),
    })
    .describe('the keys of the browser, as toJSON() of its PushSubscription returns them'),
  name: z.string().trim().min(1).max(100).describe('a name of 1 to 100 characters').optional(),
})

export const pushDeviceSchema = z
  .strictObject({
    id: z.string(),
    name: z.string().describe('By default the name of the browser.'),
    addedAt: date,
    sentAt: date.optional().describe('When a push service last accepted a message for it.'),
    failures: countSchema.describe('Consecutive failed messages.'),
    trouble: z.string().optional().describe('Why the last message failed.'),
  })
  .openapi('PushDevice')

export type PushDeviceShape = z.infer<typeof pushDeviceSchema>

export const notificationsSchema = z
  .strictObject({
    devices: z.array(pushDeviceSchema).describe('Your browsers that receive notifications.'),
    searches: z.array(id).describe('Saved searches whose new results you are notified of.'),
  })
  .openapi('Notifications')

export type NotificationsShape = z.infer<typeof notificationsSchema>
