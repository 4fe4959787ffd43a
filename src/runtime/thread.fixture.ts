/** Objects of a worker thread, for tests. */
import { StoreError } from '../ports/index.ts'

export function openCounter(start: number): Record<string, object> {
  if (start < 0) throw new StoreError('missing', 'there is nothing below zero', 'Begin with zero.')
  let count = start
  const ran: string[] = []
  return {
    counter: {
      add: (amount: number) => (count += amount),
      note: (name: string) => ran.push(name),
      ran: () => ran,
      block: (ms: number) => block(ms),
      bytes: () => Buffer.from('tide'),
      fail: () => {
        throw new StoreError('no-access', 'the disk is full', 'Make room.', { isTransient: true })
      },
      failTyped: () => {
        throw new RangeError('out of range')
      },
      crash: () => process.exit(7),
      async *upTo(end: number) {
        for (let i = 0; i < end; i++) yield i
      },
      close: () => void ran.push('closed'),
    },
  }
}

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
