/** Queues of tasks and outcomes: in one process, or on NATS JetStream. */
export { createInProcessQueue } from './in-process.ts'
export { type NatsQueue, type NatsQueueOptions, openNatsQueue } from './nats/index.ts'
