import { zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { address } from '../model/address.fixture.ts'
import { type ArticleId, MAX_PAGE_BYTES, type Outcome } from '../model/index.ts'
import { outcomeFromJson, outcomeToJson } from './outcome-json.ts'

const url = address('https://a.example/river')

function outcomeWith(result: Outcome['result']): Outcome {
  const task = { kind: 'article', articleId: 1 as ArticleId, url, gapMs: 0 } as const
  return { task, at: 5, tookMs: 7, bytes: 9, result }
}

function pageOf(body: Uint8Array): Outcome {
  const reading = {
    url,
    facts: { words: 2 },
    text: 'The river',
    html: '<p>The river</p>',
    status: 200,
    headers: {},
    body,
  }
  return outcomeWith({ kind: 'page', reading })
}

it('round-trips outcomes, including the bytes of pages', async () => {
  for (const outcome of [
    outcomeWith({ kind: 'failed', failure: { kind: 'http', status: 503 } }),
    pageOf(Uint8Array.from({ length: 1000 }, (_, i) => i % 256)),
    pageOf(new Uint8Array()),
  ]) {
    const decoded = await outcomeFromJson(await outcomeToJson(outcome))
    expect(withPlainBytes(decoded)).toEqual(withPlainBytes(outcome))
  }
})

it('compresses repetitive pages', async () => {
  const text = await outcomeToJson(pageOf(new TextEncoder().encode('<p>The river rose.</p>'.repeat(10_000))))
  expect(text.length).toBeLessThan(1000)
})

it('rejects pages above the size limit', async () => {
  const text = await outcomeToJson(pageOf(new Uint8Array()))
  const bomb = zstdCompressSync(Buffer.alloc(MAX_PAGE_BYTES + 1)).toString('base64')
  await expect(outcomeFromJson(text.replace(/"packedBody":"[^"]*"/, `"packedBody":"${bomb}"`))).rejects.toThrow()
})

function withPlainBytes(outcome: Outcome): unknown {
  const { result } = outcome
  return result.kind === 'page'
    ? { ...outcome, result: { ...result.reading, body: [...result.reading.body] } }
    : outcome
}
