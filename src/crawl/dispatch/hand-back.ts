/**
 * Leases that are given up because nobody went: for want of a turn, of a hand, or of the time to send it. Their feeds, sources and
 * pages are due as before, or at the date of their turn. What could not be sent is handed back as soon as the store hears us: else it
 * would wait until its lease ends, and nobody is on his way.
 */
import type { Task } from '../../model/index.ts'
import type { Roles } from '../../ports/index.ts'
import { itemsOf, leaseOf } from '../task.ts'
import { isOfStore, type Wall } from '../wall.ts'
import type { Waiting } from './admission.ts'

export interface HandBack {
  /** Of feeds and sources, each at its date, if it has one; together, or, if one of them cannot be, one by one. */
  until(waiting: Waiting[]): Promise<void>
  /** Of any kind, due as before. */
  asBefore(tasks: Task[]): Promise<void>
  /** To be handed back by the next `settle`. */
  owe(tasks: Task[]): void
  settle(): Promise<void>
}

export function createHandBack({ agenda, wall }: Pick<Roles, 'agenda'> & { wall: Wall }): HandBack {
  let owed: Task[] = []

  async function until(waiting: Waiting[]): Promise<void> {
    const items = waiting.flatMap(({ task, until: dueAt, because }) =>
      itemsOf(task).map((item) => ({ ...item, ...(dueAt && { dueAt }), ...(because && { because }) })),
    )
    if (items.length === 0) return
    try {
      await agenda.handBack(items)
    } catch (error) {
      if (isOfStore(error)) throw error
      for (const item of items)
        await wall.guarded(`handing back ${item.kind} ${item.id}`, () => agenda.handBack([item]))
    }
  }

  async function asBefore(tasks: Task[]): Promise<void> {
    await until(tasks.map((task) => ({ task })))
    const pages = tasks.flatMap((task) => (task.kind === 'article' ? [{ id: task.articleId, ...leaseOf(task) }] : []))
    if (pages.length > 0) await agenda.handBackArticles(pages)
  }

  return {
    until,
    asBefore,
    owe: (tasks) => void owed.push(...tasks),
    async settle() {
      if (owed.length === 0) return
      const tasks = owed
      owed = []
      try {
        await asBefore(tasks)
      } catch (error) {
        owed.push(...tasks)
        throw error
      }
    },
  }
}
