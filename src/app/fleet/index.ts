/**
 * The processes of a fleet, and what each opens:
 *
 *               controller   fetcher    indexer   page, API   store    queue
 *   controller  yes          -          -        -           write    nats, by bucket
 *   fetcher     -            yes        -        -           -        nats
 *   indexer     -            -          yes      -           write    nats, for new entries
 *   serve       -            -          -        yes         write    nats, for pushes of hubs
 */
export { openController } from './controller.ts'
export { openFetcher } from './fetcher.ts'
export { openIndexer } from './indexer.ts'
export { listFleet } from './list-fleet.ts'
export { openFleetServer } from './server.ts'
