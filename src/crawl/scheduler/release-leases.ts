/**
 * Leases that are released because nobody went: for want of a turn, of a slot, or of the time to send it. Their feeds, sources and
 * pages are due as before, or at the date of their turn. Whatever is taken is owed until it is sent, so that a failure in between
 * leaves nothing waiting for the end of its lease: what is still owed is released as soon as the store takes it.
 */
import type { LeaseToken, Task } from '../../model/index.ts'
import type { HandedBack, Roles } from '../../ports/index.ts'
import { isOfStore, type Wall } from '../error-boundary.ts'
import { itemsOf, leaseOf } from '../task.ts'
import type { Waiting } from './admission.ts'

export interface HandBack {
  /** Ends the leases of these; together, or, if one of them cannot be, one by one. */
  release(waiting: Waiting[]): Promise<void>
  /** They were taken: `settle` releases them, each at its date, if it has one, unless they were sent before. */
  owe(waiting: Waiting[]): void
  sent(tasks: Task[]): void
  /** Whether something is owed. */
  isOwing(): boolean
  settle(): Promise<void>
}

export function createHandBack({ agenda, wall }: Pick<Roles, 'agenda'> & { wall: Wall }): HandBack {
  const owed = new Map<LeaseToken | undefined, Waiting>()

  async function release(waiting: Waiting[]): Promise<void> {
    const items: HandedBack[] = []
    const pages: Parameters<typeof agenda.handBackArticles>[0] = []
    for (const { task, until: dueAt, because } of waiting) {
      const date = { ...(dueAt && { dueAt }) }
      items.push(...itemsOf(task).map((item) => ({ ...item, ...date, ...(because && { because }) })))
      if (task.kind === 'article') pages.push({ id: task.articleId, ...leaseOf(task), ...date })
    }
    if (items.length > 0) await releaseItems(items)
    if (pages.length > 0) await agenda.handBackArticles(pages)
  }

  async function releaseItems(items: HandedBack[]): Promise<void> {
    try {
      await agenda.handBack(items)
    } catch (error) {
      if (isOfStore(error)) throw error
      for (const item of items)
        await wall.guarded(`handing back ${item.kind} ${item.id}`, () => agenda.handBack([item]))
    }
  }

  return {
    release,
    owe(waiting) {
      for (const one of waiting) if (one.task.lease !== undefined) owed.set(one.task.lease, one)
    },
    sent(tasks) {
      for (const { lease } of tasks) owed.delete(lease)
    },
    isOwing: () => owed.size > 0,
    async settle() {
      if (owed.size === 0) return
      const released = [...owed]
      await release(released.map(([, one]) => one))
      for (const [lease, one] of released) if (owed.get(lease) === one) owed.delete(lease)
    },
  }
}
