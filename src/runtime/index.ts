/**
 * Threads: calling methods of objects that live in a worker thread as if they were here.
 *
 * - thread client: the calling side (thread-client.ts): queues, priorities, time limits, restarts after a crash
 * - thread server: the called side (thread-entry.ts, serve-calls.ts): runs calls one after the other
 */
export { PRIORITY, type Priority } from './call-queue.ts'
export { createThread, type Thread, type ThreadOptions } from './function-thread.ts'
export { remoteObject } from './remote-object.ts'
export { createThreadClient, type ThreadClientOptions, type ThreadFailure } from './thread-client.ts'
export { isZip, type Unzipped, unzip, type ZippedFile } from './unzip.ts'
export { hasYielded, inSlices, mapInSlices, yieldToEventLoop } from './yield-to-event-loop.ts'
