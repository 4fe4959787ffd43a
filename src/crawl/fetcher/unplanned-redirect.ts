/**
 * Redirects to hosts that a task was not scheduled for. A fetcher follows redirects only within the hosts of its task. For any other host
 * it returns the hosts known so far, and the scheduler sends the task again once it may visit all of them (scheduler/).
 *
 * This terminates: each round adds a host, and their number is limited.
 */
import type { OutcomeResult, Task, WebAddress } from '../../model/index.ts'
import { tenantOf } from '../../politeness/index.ts'
import { tenantsOf } from '../task.ts'
import { failedResult } from './read-feed.ts'

/** Equals the limit of redirects. */
export const MAX_REDIRECT_TARGETS = 5

/** Tells whether a task may visit a URL without being scheduled again. */
export function canReach(task: Task): (url: WebAddress) => boolean {
  const tenants = tenantsOf(task)
  return (url) => tenants.includes(tenantOf(url))
}

/** The outcome of a task that redirects lead to these addresses on other hosts. */
export function elsewhereResult({ ends = [] }: { ends?: string[] }, addresses: WebAddress[]): OutcomeResult {
  const all = [...new Set([...ends, ...addresses.map(tenantOf)])]
  if (ends.length < MAX_REDIRECT_TARGETS) return { kind: 'elsewhere', ends: all.slice(0, MAX_REDIRECT_TARGETS) }
  return failedResult({ kind: 'redirects', detail: `they lead to more than ${MAX_REDIRECT_TARGETS} other hosts` })
}
