/** Replaces the errors that the methods of an object throw, whether they answer with a promise or with an async iterable. */
type AnyMethod = (...given: never[]) => unknown

/** `explain` throws the error to use instead. */
export function mapErrors<Methods extends object>(methods: Methods, explain: (error: unknown) => never): Methods {
  async function* explained(parts: AsyncIterable<unknown>) {
    try {
      yield* parts
    } catch (error) {
      explain(error)
    }
  }
  const mapped = Object.entries(methods).map(([name, method]: [string, unknown]) => [
    name,
    typeof method !== 'function'
      ? method
      : (...given: never[]) => {
          const answer = (method as AnyMethod)(...given)
          if (answer instanceof Promise) return answer.catch(explain)
          return isIterable(answer) ? explained(answer) : answer
        },
  ])
  return Object.fromEntries(mapped) as Methods
}

function isIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}
