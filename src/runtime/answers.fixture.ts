/** Answers questions in a thread, for its tests. */
export type Question =
  | { kind: 'double'; n: number }
  | { kind: 'length'; bytes: Uint8Array }
  | { kind: 'throw' }
  | { kind: 'hang' }

export function answerTo(question: Question): number {
  switch (question.kind) {
    case 'double':
      return 2 * question.n
    case 'length':
      return question.bytes.length
    case 'throw':
      throw new Error('it cannot be done')
    case 'hang':
      for (;;);
  }
}
