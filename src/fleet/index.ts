/** How the processes of a fleet reach each other: in one process, or over NATS. */
export { createInProcessFleet } from './in-process.ts'
