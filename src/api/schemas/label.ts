/** Names of labels that users give to entries. */
import { z } from '@hono/zod-openapi'
import { MAX_ENTRY_LABEL_LENGTH } from '../../model/index.ts'

export const labelName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ENTRY_LABEL_LENGTH)
  .describe('the name of a label, at most 100 characters')
