/**
 * The page's only way to the server. A question answers with JSON or throws an Error whose message is a sentence for
 * people, with the server's hint where it gave one.
 */

const PATIENCE_MS = 15_000
const PATIENCE_FOR_FILES_MS = 10 * 60_000

/**
 * @template Answer
 * @param {string} path
 * @param {Record<string, string | number | boolean | undefined>} [query] what is undefined or empty is left out
 * @returns {Promise<Answer>}
 */
export function ask(path, query = {}) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, `${value}`)
  return call(parameters.size === 0 ? path : `${path}?${parameters}`, { method: 'GET' })
}

/**
 * The same, but undefined where the server says that there is no such thing.
 *
 * @template Answer
 * @param {string} path
 * @returns {Promise<Answer | undefined>}
 */
export function askIfThere(path) {
  return call(path, { method: 'GET' }, PATIENCE_MS, true)
}

/**
 * @template Answer
 * @param {'POST' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export function tell(method, path, body = {}) {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return call(path, init, 'opml' in body ? PATIENCE_FOR_FILES_MS : PATIENCE_MS)
}

/**
 * @template Answer
 * @param {string} path
 * @param {RequestInit} init
 * @param {number} [patienceMs]
 * @param {boolean} [mayBeGone]
 * @returns {Promise<any>}
 */
async function call(path, init, patienceMs = PATIENCE_MS, mayBeGone = false) {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(patienceMs) }).catch(() => {
    throw new Error('The server does not answer.')
  })
  const answer = response.status === 204 ? {} : await response.json().catch(() => ({}))
  if (response.ok) return answer
  if (response.status === 404 && mayBeGone) return undefined
  throw new Error([answer.error ?? `The server answered ${response.status}`, answer.hint].filter(Boolean).join('; '))
}
