/** The API client of the page, and error messages for failed requests. */
import { type Client, ClientError, createClient, ifThere } from '../../src/client/index.ts'

export { ifThere }

export const api: Client = createClient({ url: location.origin })

/** For requests that have to arrive even though the page is left. */
export const lastingApi: Client = createClient({
  url: location.origin,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
})

/** One sentence to show for a thrown error, with the server's hint if there is one. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ClientError)) return String(error instanceof Error ? error.message : error)
  const message = error.problem ?? error.message.replace(/^\S+ \S+: /, '')
  return `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${error.problem && error.hint ? `: ${error.hint}` : ''}.`
}

/** The request got no response: the server or the network is down. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ClientError && error.status === undefined
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ClientError ? error.status : undefined
}

/** What the user has to do before the request can be sent again. */
export function needsOf(error: unknown): ClientError['needs'] {
  return error instanceof ClientError ? error.needs : undefined
}
