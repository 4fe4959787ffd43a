/**
 * A typed client of the HTTP API, for the web page, the command line and other programs. Needs only fetch, so it also runs in browsers.
 * Terms:
 *
 * - call:       one operation of the API, by name: `client.listFeeds({ query: { limit: 10 } })`
 * - lines:      the result of an export, one JSON object per line; *messages* are those of the event stream
 * - morning:    the stories of a day, from several calls; the page and digests share them
 */
export { type Client, ClientError, createClient, ifThere, type StreamMessage } from './client.ts'
export { DAY_MS, loadMorning, type MorningOrder, type MorningPage } from './morning/morning-page.ts'
export { type MorningStory, storyOf } from './morning/rank-stories.ts'
