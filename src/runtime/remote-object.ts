/** An object whose methods are calls into threads. */
import type { Priority } from './call-queue.ts'
import type { ThreadClient } from './thread-client.ts'

export interface Remote {
  target: string
  methods: readonly string[]
  /** Methods that answer a stream. */
  streams: readonly string[]
  /** Which thread a call of a method runs in, and how urgently. */
  route: (method: string) => { thread: ThreadClient; priority: Priority }
}

export function remoteObject<Port>({ target, methods, streams, route }: Remote): Port {
  const made = methods.map((method) => {
    const isStream = streams.includes(method)
    const call = (...args: unknown[]) => {
      const { thread, priority } = route(method)
      return isStream ? thread.stream(target, method, args, priority) : thread.call(target, method, args, priority)
    }
    return [method, call]
  })
  return Object.fromEntries(made)
}
