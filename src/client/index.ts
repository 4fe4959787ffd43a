/**
 * A typed client of the HTTP API, for the web page, the command line and other programs. Needs only fetch, so it also runs in browsers.
 * Terms:
 *
 * - call:       one operation of the API, by name: `client.listFeeds({ query: { limit: 10 } })`
 * - lines:      the result of an export, one JSON object per line; *messages* are those of the event stream
 */
export { type Client, ClientError, createClient, ifThere, type StreamMessage } from './client.ts'
