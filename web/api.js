/**
 * The page's only way to the server: the client that every other program uses, too. What goes wrong is told as a sentence for
 * people, with the server's hint where it gave one.
 */
import { ClientError, createClient, ifThere } from './client.js'

export { ifThere }

/** @type {import('../src/client/index.ts').Client} */
export const api = createClient({ url: location.origin })

/** @param {unknown} error what came because nobody is logged in */
export function isNobody(error) {
  return error instanceof ClientError && error.status === 401
}

/** @param {unknown} error */
export function inWords(error) {
  if (!(error instanceof ClientError)) return error instanceof Error ? error.message : String(error)
  if (error.status === undefined) return 'The server does not answer.'
  return [error.problem ?? `The server answered ${error.status}`, error.hint].filter(Boolean).join('; ')
}
