/**
 * `npm run cassandra [-- --port 9042] [-- --folder PATH]`: a single-node Cassandra for development, until Ctrl+C. Without a folder its data
 * is temporary. `--only-fetch` only downloads it.
 */
import { parseArgs } from 'node:util'
import { fetchCassandra, startCassandra } from './cassandra-node.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    folder: { type: 'string' },
    heap: { type: 'string', default: '512' },
    'only-fetch': { type: 'boolean' },
  },
})
if (values['only-fetch']) {
  fetchCassandra()
  process.exit()
}
console.log('starting Cassandra, which takes a quarter of a minute, and longer the first time ...')
const node = await startCassandra({
  heapMegabytes: Number(values.heap),
  ...(values.port && { port: Number(values.port) }),
  ...(values.folder && { folder: values.folder }),
})
console.log(`process ${node.pid} answers at ${node.contact}, its files are in ${node.folder}`)
console.log(`freshet run --library cassandra://${node.contact}/freshet`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void node.stop())
