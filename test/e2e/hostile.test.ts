/** All hostile sites of the village at once, with 500 healthy feeds: `bench/hostile.ts` without its timings. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const BENCH = join(import.meta.dirname, '../../bench/hostile.ts')

it('hostile sites do not crash the crawl, exhaust its memory, or delay healthy feeds', {
  timeout: 180_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, '--short', '--seconds', '1'])
  const { surprises, read, stillWaiting, peakMb } = JSON.parse(stdout)
  expect(surprises).toEqual([])
  expect(read).toBe(500)
  expect(stillWaiting).toBeGreaterThan(0)
  expect(peakMb).toBeLessThan(512)
})
