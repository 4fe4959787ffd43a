/**
 * Who named the address that a task goes to: a person, who named a feed or a page, or a site of which that person knows
 * nothing. A Net goes into networks of one's own for people only, so it is told with every request.
 */
import type { Task, WebAddress } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'

/** The address that a person named, and that led to this task; null if that cannot be said. */
export function namedFor(task: Task): WebAddress | null {
  switch (task.kind) {
    case 'discover':
      return task.url
    case 'seek':
      return task.not
    case 'poll':
      return task.older ? (task.named ?? null) : task.url
    case 'hub':
    case 'article':
      return task.named ?? null
  }
}

/** The same net, for requests that this address led to. */
export function namedNet(net: Net, named: WebAddress | null): Net {
  return {
    get: (request) => net.get({ named, ...request }),
    post: (request) => net.post({ named, ...request }),
    close: net.close,
  }
}
