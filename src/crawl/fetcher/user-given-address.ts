/**
 * The address that a user gave and that led to a task. Every request carries it, since the net visits private networks only on behalf of
 * users: a site must not redirect or link the crawler there.
 */
import type { Task, WebAddress } from '../../model/index.ts'
import type { Net } from '../../ports/index.ts'

/** Null if unknown. */
export function userGivenAddress(task: Task): WebAddress | null {
  switch (task.kind) {
    case 'discover':
      return task.url
    case 'moved-feed':
      return task.not
    case 'poll':
      return task.older ? (task.named ?? null) : task.url
    case 'hub':
    case 'article':
      return task.named ?? null
  }
}

/** The same net, for requests that this address led to. */
export function withUserGivenAddress(net: Net, named: WebAddress | null): Net {
  return {
    get: (request) => net.get({ named, ...request }),
    post: (request) => net.post({ named, ...request }),
    close: net.close,
  }
}
