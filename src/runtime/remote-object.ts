/** An object whose methods are calls into threads. */
import type { Priority } from './call-queue.ts'
import type { ThreadClient } from './thread-client.ts'

export interface Remote {
  target: string
  methods: readonly string[]
  /** Methods that return a stream. */
  streams: readonly string[]
  /** The thread and the priority of a method's calls. */
  route: (method: string) => { thread: ThreadClient; priority: Priority }
}

export function remoteObject<Port>({ target, methods, streams, route }: Remote): Port {
  const calls = methods.map((method) => {
    const isStream = streams.includes(method)
    const call = (...args: unknown[]) => {
      const { thread, priority } = route(method)
      return isStream ? thread.stream(target, method, args, priority) : thread.call(target, method, args, priority)
    }
    return [method, call]
  })
  return Object.fromEntries(calls)
}
