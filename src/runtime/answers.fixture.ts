/** Who answers in a thread, for its tests: how much it is told to do, it does. */
export type Chore =
  | { kind: 'double'; n: number }
  | { kind: 'length'; bytes: Uint8Array }
  | { kind: 'throw' }
  | { kind: 'hang' }

export function answerTo(asked: Chore): number {
  switch (asked.kind) {
    case 'double':
      return 2 * asked.n
    case 'length':
      return asked.bytes.length
    case 'throw':
      throw new Error('it cannot be done')
    case 'hang':
      for (;;);
  }
}
