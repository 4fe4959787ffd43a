/**
 * Webhooks: external endpoints that receive new results of saved searches, and entries that users send to other services. Each gets one batch after the other, in order of arrival. Its
 * progress is stored, so unacknowledged batches are sent again after failures and restarts. Terms beside those of the model:
 *
 * - receiver:   an endpoint's server; webhooks of one origin share a receiver, which gets one request at a time
 * - delivery:   one request with a batch of entries; its id lets receivers detect duplicates
 * - hub:        notifies the subscribers of our outgoing feeds; a *ping* tells it that one has changed (WebSub)
 * - send:       an entry on its way to a destination of a user
 * - batch:      the search results among some hundreds of entries after the last delivered one
 */

export { createWebhooks } from './deliver.ts'
export { createSendRunner } from './deliver-sends.ts'
export { createHubPings } from './hub-pings.ts'
