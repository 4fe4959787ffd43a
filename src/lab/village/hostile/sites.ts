/**
 * All known hostile, faulty or outdated behavior towards feed readers, one site each. Add new cases to these tables.
 */

import { PACKED_SITES } from './compression.ts'
import { DOCUMENT_SITES } from './documents.ts'
import { WIRE_SITES } from './http-protocol.ts'
import { LARGE_SITES } from './large.ts'
import { PAGE_SITES } from './pages.ts'
import { REDIRECT_SITES } from './redirects.ts'
import type { HostileSite } from './site.ts'
import { SLOW_SITES } from './slow.ts'
import { CONDUCT_SITES } from './status-codes.ts'

export const HOSTILE_SITES: readonly HostileSite[] = [
  ...SLOW_SITES,
  ...LARGE_SITES,
  ...PACKED_SITES,
  ...WIRE_SITES,
  ...REDIRECT_SITES,
  ...DOCUMENT_SITES,
  ...PAGE_SITES,
  ...CONDUCT_SITES,
]
