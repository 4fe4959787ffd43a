/** What one request to the API may bring and may ask for. */
import { describe, expect, test } from 'vitest'
import { createStage } from '../../test/stage.ts'

const { app } = createStage()
const asked = async (path: string) => (await app.request(`http://localhost${path}`)).status

describe('a list', () => {
  test.each([
    ['/api/v1/feeds', 1000],
    ['/api/v1/entries', 1000],
    ['/api/v1/sources', 1000],
    ['/api/v1/polls', 1000],
    ['/api/v1/groups', 500],
  ])('%s has %i at most', async (path, most) => {
    expect([await asked(`${path}?limit=${most}`), await asked(`${path}?limit=${most + 1}`)]).toEqual([200, 400])
  })

  test('is searched by a thousand characters at most', async () => {
    const q = (length: number) => `/api/v1/entries?q=${'x'.repeat(length)}`
    expect([await asked(q(1000)), await asked(q(1001))]).toEqual([200, 400])
  })
})

describe('a body', () => {
  const MOST = 64 * 1024 * 1024
  const CHUNK = 1024 * 1024

  /** Spaces, which are no JSON, but only whoever has read all of them knows. */
  async function sent(bytes: number, headers: Record<string, string> = {}) {
    let left = bytes
    const body = new ReadableStream({
      pull(controller) {
        const size = Math.min(CHUNK, left)
        left -= size
        if (size > 0) controller.enqueue(new Uint8Array(size).fill(32))
        else controller.close()
      },
    })
    const type = { 'content-type': 'application/json', ...headers }
    const init = { method: 'POST', headers: type, body, duplex: 'half' } as RequestInit
    return (await app.request('http://localhost/api/v1/feeds', init)).status
  }

  test('with a list of feeds has 64 MB at most, announced or in chunks', async () => {
    expect(await sent(9, { 'content-length': `${MOST + 1}` })).toBe(413)
    expect(await sent(MOST + CHUNK)).toBe(413)
    expect(await sent(MOST)).toBe(400)
  })
})
