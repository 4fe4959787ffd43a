/** Destinations: services that entries are sent to, and what was sent. */
import { z } from '@hono/zod-openapi'
import { label } from './sharing.ts'
import { countSchema, date, id } from './values.ts'

const presetFieldSchema = z.strictObject({
  name: z.string(),
  label: z.string(),
  kind: z.literal('address').optional().describe('The address of a server.'),
  isSecret: z.literal(true).optional().describe('Stored encrypted, and never returned.'),
  isOptional: z.literal(true).optional(),
  preset: z.string().optional().describe('Used if the field is empty.'),
  choices: z.array(z.string()).optional().describe('It has one of these values.'),
})

export const presetSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    hint: z.string().optional().describe('Where to find the values of the fields.'),
    fields: z.array(presetFieldSchema),
  })
  .openapi('DestinationPreset')

export type PresetShape = z.infer<typeof presetSchema>

const attemptSchema = z
  .strictObject({ at: date, status: z.int().optional(), trouble: z.string().optional() })
  .openapi('SendAttempt')

export type SendAttemptShape = z.infer<typeof attemptSchema>
export const testResultSchema = attemptSchema

export const destinationSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    preset: z.string().describe('The id of its preset.'),
    fields: z.record(z.string(), z.string()).describe('Values of fields that are not secret.'),
    secretFields: z.array(z.string()).describe('Names of secret fields that have a value.'),
    addedAt: date,
  })
  .openapi('Destination')

export type DestinationShape = z.infer<typeof destinationSchema>

const fields = z
  .record(z.string().max(100), z.string().max(4000))
  .describe('the values of its fields, by name, at most 4,000 characters each')

export const destinationInput = z.strictObject({
  name: label,
  preset: z.string().min(1).max(100).describe('the id of a preset'),
  fields: fields.default({}),
})

export const destinationEdit = z
  .strictObject({
    name: label.optional(),
    fields: fields.describe('the values of fields that change; others stay').optional(),
  })
  .refine((edit) => Object.keys(edit).length > 0, 'nothing to change')

export const sendInput = z.strictObject({
  destination: z.string().min(1).max(200).describe('the name or id of a destination'),
})

export const sendSchema = z
  .strictObject({
    id: z.string(),
    entryId: id,
    title: z.string().optional().describe('Of the entry, if it still exists.'),
    destinationId: z.string(),
    state: z.enum(['waiting', 'sent', 'failed']),
    queuedAt: date,
    dueAt: date.optional().describe('The next try.'),
    failures: countSchema,
    last: attemptSchema.optional().describe('Result of the last try.'),
  })
  .openapi('Send')

export type SendShape = z.infer<typeof sendSchema>
