/** The server, by its described API; and what went wrong with it, in a sentence for people. */
import { type Client, ClientError, createClient, ifThere } from '../../src/client/index.ts'

export { ifThere }

export const api: Client = createClient({ url: location.origin })

/** What to tell people of something that was thrown. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ClientError)) return String(error instanceof Error ? error.message : error)
  const said = error.problem ?? error.message.replace(/^\S+ \S+: /, '')
  return `${said[0]?.toUpperCase() ?? ''}${said.slice(1)}${error.problem && error.hint ? `: ${error.hint}` : ''}.`
}

/** No answer came at all: the server is away, or the network is. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ClientError && error.status === undefined
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ClientError ? error.status : undefined
}
