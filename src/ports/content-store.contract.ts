/**
 * The contract of content-store.ts for every driver: `contentStoreContract('memory', open)`. `open` returns two handles on one content
 * store, which all tests share, because creating and emptying one takes a large database seconds. Each test uses its own days and feeds.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { contentRecordPromises } from './content-records.contract.ts'
import type { ContentAddress, ContentStore, ContentText, ContentTextInfo } from './index.ts'

let NOON = Date.UTC(2026, 2, 14, 12) as Instant

export function contentStoreContract(
  name: string,
  open: () => Promise<{ contentStore: ContentStore; other: ContentStore }>,
): void {
  describe(`the ${name} content store`, () => {
    let opened: { contentStore: ContentStore; other: ContentStore } | undefined
    beforeAll(async () => {
      opened = await open()
    }, 60_000)
    beforeEach(() => {
      NOON = (NOON + 2 * DAY) as Instant
    })
    afterAll(async () => {
      await opened?.contentStore.close()
      await opened?.other.close()
    })
    const promised = (sentence: string, hold: (contentStore: ContentStore, other: ContentStore) => Promise<void>) =>
      it(sentence, async () => hold(opened!.contentStore, opened!.other))

    promised(
      'returns stored texts in the order of the addresses, and nothing for unknown addresses',
      async (contentStore) => {
        const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
        await contentStore.putTexts([bench, ferry])
        const found = await contentStore.getTexts([ferry.address, textOf('fog').address, bench.address])
        expect(found.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(['a ferry', undefined, 'a bench'])
      },
    )

    promised('stores any number of any bytes, including none', async (contentStore) => {
      const bytes = new Uint8Array(1_500_000).map((_, i) => (i * 31) ^ (i >> 8))
      const texts = [textOf(bytes), textOf(''), textOf(new Uint8Array([0, 255, 0]))]
      await contentStore.putTexts(texts)
      const found = await contentStore.getTexts(texts.map(({ address: own }) => own))
      expect(found.map((got) => got?.length)).toEqual([1_500_000, 0, 3])
      expect(Buffer.from(found[0]!).equals(Buffer.from(bytes))).toBe(true)
    })

    promised('stores a text once when it is written twice or concurrently', async (contentStore, other) => {
      const bench = textOf('a bench')
      await Promise.all([
        contentStore.putTexts([bench, bench]),
        other.putTexts([bench]),
        other.putTexts([textOf('a ferry')]),
      ])
      await contentStore.putTexts([bench])
      expect(await names(contentStore, NOON)).toEqual([bench.address, textOf('a ferry').address].sort())
    })

    promised('lists the texts written in an hour with their owners', async (contentStore) => {
      const early = textOf('early', NOON - 1)
      const late = { ...textOf('late', NOON + HOUR - 1), owner: { kind: 'article', articleId: 9 } } as ContentText
      await contentStore.putTexts([early, late, textOf('later', NOON + HOUR)])
      expect(await all(contentStore, NOON)).toEqual([{ address: late.address, owner: late.owner, at: late.at }])
      expect(await names(contentStore, NOON - HOUR)).toEqual([early.address])
      expect(await names(contentStore, NOON + 5 * HOUR)).toEqual([])
    })

    promised('streams the thousands of texts of an hour', async (contentStore) => {
      const many = Array.from({ length: 1000 }, (_, i) => textOf(`text ${i}`, NOON + i))
      await contentStore.putTexts(many)
      expect(await names(contentStore, NOON)).toEqual(many.map(({ address: own }) => own).sort())
    })

    promised('drops only the given texts, and keeps those stored again since', async (contentStore) => {
      const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
      await contentStore.putTexts([bench, ferry])
      await contentStore.putTexts([{ ...ferry, at: (NOON + HOUR) as Instant }])
      await contentStore.dropTexts([bench, ferry])
      const [gone, remaining] = await contentStore.getTexts([bench.address, ferry.address])
      expect([gone, remaining && Buffer.from(remaining).toString()]).toEqual([undefined, 'a ferry'])
      expect([await names(contentStore, NOON), await names(contentStore, NOON + HOUR)]).toEqual([[], [ferry.address]])
      await contentStore.dropTexts([bench])
    })

    promised('stores a dropped text again', async (contentStore) => {
      const bench = textOf('a bench')
      await contentStore.putTexts([bench])
      await contentStore.dropTexts([bench])
      await contentStore.putTexts([{ ...bench, at: (NOON + 1) as Instant }])
      expect((await contentStore.getTexts([bench.address]))[0]).toBeDefined()
    })

    contentRecordPromises((sentence, hold) =>
      promised(sentence, (contentStore, other) => hold(contentStore, other, NOON)),
    )

    promised('reports its health', async (contentStore) => {
      expect((await contentStore.health()).isHealthy).toBe(true)
    })
  })
}

function textOf(said: string | Uint8Array, at: number = NOON): ContentText {
  const bytes = Buffer.from(said as string)
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const owner = { kind: 'entry', feedId: NOON, key: 'a key / with "signs"' } as ContentText['owner']
  return { address: `f${NOON}/${digest}` as ContentAddress, owner, at: at as Instant, bytes }
}

async function all(contentStore: ContentStore, hour: number): Promise<ContentTextInfo[]> {
  const found: ContentTextInfo[] = []
  for await (const text of contentStore.textsOfHour(hour as Instant)) found.push(text)
  return found
}

async function names(contentStore: ContentStore, hour: number): Promise<ContentAddress[]> {
  return (await all(contentStore, hour)).map(({ address }) => address).sort()
}
