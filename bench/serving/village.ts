/** Serves the requested number of village sites, in a process of its own; sends the addresses of their feeds. */
import { systemClock } from '../../src/clocks/index.ts'
import { createVillage } from '../../src/lab/index.ts'

const count = Number(process.argv[2])
const names = Array.from({ length: count }, (_, i) => `town-${i}`)
const village = createVillage({
  clock: systemClock(),
  sites: names.map((name) => ({ name, title: `News of ${name}`, feeds: [{ path: '/feed' }] })),
})
await village.listen()
process.send?.(names.map((name) => village.site(name).feeds[0]!.url))
process.once('disconnect', () => process.exit())
