/** Replaces the errors of the methods of an object, whether they return promises or async iterables. */
type AnyMethod = (...args: never[]) => unknown

/** `explain` throws the error to report instead. */
export function mapErrors<Methods extends object>(methods: Methods, explain: (error: unknown) => never): Methods {
  async function* explained(items: AsyncIterable<unknown>) {
    try {
      yield* items
    } catch (error) {
      explain(error)
    }
  }
  const mapped = Object.entries(methods).map(([name, method]: [string, unknown]) => [
    name,
    typeof method !== 'function'
      ? method
      : (...args: never[]) => {
          const result = (method as AnyMethod)(...args)
          if (result instanceof Promise) return result.catch(explain)
          return isIterable(result) ? explained(result) : result
        },
  ])
  return Object.fromEntries(mapped) as Methods
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result
}
