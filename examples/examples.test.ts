import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { systemClock } from '../src/clocks/index.ts'
import { createVillage } from '../src/lab/index.ts'

it('crawl-once finds the feed of a site and prints its entries', async () => {
  const village = createVillage({ clock: systemClock(), sites: [{ name: 'gazette', feeds: [{ path: '/feed' }] }] })
  village.site('gazette').publish({ title: 'A goose is elected' })
  const open = await village.listen()
  const script = new URL('crawl-once.ts', import.meta.url).pathname
  const words = [script, village.site('gazette').home, '127.0.0.0/8']
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 100_000 }).finally(open.close)
  expect(stdout).toMatch(/\/feed\n/)
  expect(stdout).toContain('- A goose is elected')
})
