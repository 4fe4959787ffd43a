/**
 * Where redirects lead, and whose turn that needs. A terminal follows redirects within the hosts that its task goes to; to
 * any other it comes back with the hosts to which the way leads, as far as is known now (dispatch/redirect-ends.ts).
 *
 * That comes to an end: each time one host more is known, and there are never more than a few.
 */
import type { OutcomeResult, Task, WebAddress } from '../../model/index.ts'
import { tenantOf } from '../../politeness/index.ts'
import { tenantsOf } from '../task.ts'
import { failed } from './read-feed.ts'

/** As many as there may be redirects. */
export const MOST_ENDS = 5

/** Whether a task may go there, now that it is on its way. */
export function within(task: Task): (url: WebAddress) => boolean {
  const tenants = tenantsOf(task)
  return (url) => tenants.includes(tenantOf(url))
}

/** The way leads to these addresses, too. */
export function elsewhere({ ends = [] }: { ends?: string[] }, addresses: WebAddress[]): OutcomeResult {
  const all = [...new Set([...ends, ...addresses.map(tenantOf)])]
  if (ends.length < MOST_ENDS) return { kind: 'elsewhere', ends: all.slice(0, MOST_ENDS) }
  return failed({ kind: 'redirects', detail: `they lead to more than ${MOST_ENDS} other hosts` })
}
