/** The server puts the client beside the page's files. */
export * from '../src/client/client.ts'
