/**
 * The HTTP API from the other side, typed by its description: what the page, the command line and other programs use. It needs
 * nothing but fetch, so a browser takes the same file. Its own words:
 *
 * - call:       one operation of the API, by its name: `client.listFeeds({ query: { limit: 10 } })`
 * - lines:      what an export answers with, one JSON object each; *messages* are those of the stream
 */
export { type Client, ClientError, createClient, ifThere, type StreamMessage } from './client.ts'
