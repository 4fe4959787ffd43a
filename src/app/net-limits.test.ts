/** The request limits of the settings apply to every request. */
import { expect, test } from 'vitest'
import { answer, type RawScript, serveRaw } from '../net/raw-server.fixture.ts'
import { httpNet } from './composition.ts'
import { type Config, defaultConfig } from './index.ts'

async function answerWith(script: RawScript, settings: Partial<Config>) {
  await using server = await serveRaw(script)
  const net = httpNet({ ...defaultConfig(), allowNetworks: ['127.0.0.0/8'], ...settings })
  const got = await net.get({ url: `${server.origin}/` })
  await net.close()
  return got.ok ? got.body.length : got.failure
}

test('--max-body', async () => {
  const large = (bytes: number) => () => answer(200, {}, Buffer.alloc(bytes))
  expect(await answerWith(large(20_000), { maxBody: 20_000 })).toBe(20_000)
  expect(await answerWith(large(20_001), { maxBody: 20_000 })).toMatchObject({ kind: 'too-large' })
})

test('--timeout', async () => {
  const detail = 'no complete response within 0.05 s'
  expect(await answerWith(() => undefined, { timeout: 50 })).toEqual({ kind: 'timeout', detail })
})

test('follows at most five redirects', async () => {
  const chain =
    (hops: number): RawScript =>
    ({ path }) =>
      path.length <= hops ? answer(301, { location: `${path}x` }) : answer(200, {}, 'there')
  expect(await answerWith(chain(5), {})).toBe(5)
  expect(await answerWith(chain(6), {})).toEqual({ kind: 'redirects', detail: 'more than 5 redirects' })
})

test('reads at most 64 kB of headers', async () => {
  const headed = (bytes: number) => () => answer(200, { x: 'y'.repeat(bytes) }, 'body')
  expect(await answerWith(headed(63_000), {})).toBe(4)
  expect(await answerWith(headed(65_000), {})).toMatchObject({ kind: 'too-large' })
})
