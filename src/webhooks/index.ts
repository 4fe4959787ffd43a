/**
 * Programs elsewhere that are told of what saved searches find. Each is told of one batch after the other, in the order of arrival, and
 * how far it was told is kept in the store: what was not acknowledged is sent again, after a failure and after our own death.
 * Its own words, beside those of the model:
 *
 * - receiver:   the program that is told; two webhooks of one origin are one receiver, which is told one thing at a time
 * - delivery:   one request with a batch of entries; it has an id, by which a receiver knows one that it has had
 * - hub:        tells who subscribed there of a feed of ours that has changed; a *ping* says that one has (WebSub)
 * - batch:      what a search found among some hundreds of entries that came after the last that was told
 */
export { createHubPings } from './hub-pings.ts'
export { createWebhooks } from './webhooks.ts'
