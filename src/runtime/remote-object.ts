/** An object whose methods are calls into threads. */
import type { Priority } from './call-queue.ts'
import type { ThreadClient } from './thread-client.ts'

export interface Remote {
  target: string
  methods: readonly string[]
  /** Methods that answer a stream. */
  streams: readonly string[]
  /** Which thread a method runs in, and how urgently. */
  route: (method: string) => { thread: ThreadClient; priority: Priority }
}

export function remoteObject<Port>({ target, methods, streams, route }: Remote): Port {
  const made = methods.map((method) => {
    const { thread, priority } = route(method)
    return [
      method,
      streams.includes(method)
        ? (...args: unknown[]) => thread.stream(target, method, args, priority)
        : (...args: unknown[]) => thread.call(target, method, args, priority),
    ]
  })
  return Object.fromEntries(made)
}
