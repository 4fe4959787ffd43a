/** Notifications: devices, and what they are notified of. */
import { z } from '@hono/zod-openapi'
import { countSchema, date, id } from './values.ts'

const MAX_SECTIONS = 10

/** Known to Intl. */
function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

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

export const digestInput = z
  .strictObject({
    every: z.enum(['day', 'week']).describe('"day" or "week"'),
    weekday: z.int().min(0).max(6).describe('the day of a weekly digest, 0 is Sunday').default(1),
    hour: z.int().min(0).max(23).describe('an hour, 0 to 23'),
    timeZone: z.string().max(100).refine(isTimeZone).describe('a time zone such as Europe/Berlin'),
    morning: z.boolean().describe('whether it contains the stories of the morning page').default(true),
    searches: z.array(id).max(MAX_SECTIONS).describe('at most 10 ids of saved searches').default([]),
    folders: z.array(z.string().min(1).max(1000)).max(MAX_SECTIONS).describe('at most 10 folders').default([]),
    byEmail: z.boolean().describe('whether it is sent to your e-mail address').default(false),
  })
  .refine(({ morning, searches, folders }) => morning || searches.length + folders.length > 0, 'the digest is empty')

const digestSchema = z
  .strictObject({
    ...digestInput.shape,
    nextAt: date.describe('When the next one is due.'),
    last: z
      .strictObject({ at: date, trouble: z.string().optional().describe('Why it was not sent.') })
      .optional()
      .describe('The last e-mail.'),
  })
  .openapi('DigestSettings')

export const emailInput = z.strictObject({
  address: z
    .string()
    .max(254)
    .regex(/^[^\s@<>"',;:\\()[\]]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/)
    .describe('an e-mail address such as ada@example.org'),
})

export const digestPreviewSchema = z
  .strictObject({
    digest: z
      .strictObject({ subject: z.string(), html: z.string().describe('Safe for a browser.'), text: z.string() })
      .optional()
      .describe('Absent if there is nothing new.'),
  })
  .openapi('DigestPreview')

export const notificationsSchema = z
  .strictObject({
    devices: z.array(pushDeviceSchema).describe('Your browsers that receive notifications.'),
    searches: z.array(id).describe('Saved searches whose new results you are notified of.'),
    digest: digestSchema.optional().describe('Your digests, if you chose any.'),
    email: z
      .strictObject({ address: z.string(), isConfirmed: z.boolean() })
      .optional()
      .describe('Where digests are sent once it is confirmed.'),
    sendsEmail: z.boolean().describe('Whether this server can send e-mail.'),
  })
  .openapi('Notifications')

export type NotificationsShape = z.infer<typeof notificationsSchema>
