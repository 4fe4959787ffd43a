/**
 * The contract of content-store.ts for every driver: `contentStoreContract('memory', open)`. `open` returns two handles on one content
 * store, which all tests share, because creating and emptying one takes a large database seconds. Each test uses its own days and feeds.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { stacksPromises } from './content-records.contract.ts'
import type { ContentAddress, ContentStore, ContentText, ContentTextInfo } from './index.ts'

let NOON = Date.UTC(2026, 2, 14, 12) as Instant

export function contentStoreContract(
  name: string,
  open: () => Promise<{ library: ContentStore; other: ContentStore }>,
): void {
  describe(`the ${name} content store`, () => {
    let opened: { library: ContentStore; other: ContentStore } | undefined
    beforeAll(async () => {
      opened = await open()
    }, 60_000)
    beforeEach(() => {
      NOON = (NOON + 2 * DAY) as Instant
    })
    afterAll(async () => {
      await opened?.library.close()
      await opened?.other.close()
    })
    const promised = (sentence: string, hold: (library: ContentStore, other: ContentStore) => Promise<void>) =>
      it(sentence, async () => hold(opened!.library, opened!.other))

    promised(
      'returns stored texts in the order of the addresses, and nothing for unknown addresses',
      async (library) => {
        const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
        await library.putTexts([bench, ferry])
        const found = await library.getTexts([ferry.address, textOf('fog').address, bench.address])
        expect(found.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(['a ferry', undefined, 'a bench'])
      },
    )

    promised('stores any number of any bytes, including none', async (library) => {
      const bytes = new Uint8Array(1_500_000).map((_, i) => (i * 31) ^ (i >> 8))
      const texts = [textOf(bytes), textOf(''), textOf(new Uint8Array([0, 255, 0]))]
      await library.putTexts(texts)
      const found = await library.getTexts(texts.map(({ address: own }) => own))
      expect(found.map((got) => got?.length)).toEqual([1_500_000, 0, 3])
      expect(Buffer.from(found[0]!).equals(Buffer.from(bytes))).toBe(true)
    })

    promised('stores a text once when it is written twice or concurrently', async (library, other) => {
      const bench = textOf('a bench')
      await Promise.all([
        library.putTexts([bench, bench]),
        other.putTexts([bench]),
        other.putTexts([textOf('a ferry')]),
      ])
      await library.putTexts([bench])
      expect(await names(library, NOON)).toEqual([bench.address, textOf('a ferry').address].sort())
    })

    promised('lists the texts written in an hour with their owners', async (library) => {
      const early = textOf('early', NOON - 1)
      const late = { ...textOf('late', NOON + HOUR - 1), owner: { kind: 'article', articleId: 9 } } as ContentText
      await library.putTexts([early, late, textOf('later', NOON + HOUR)])
      expect(await all(library, NOON)).toEqual([{ address: late.address, owner: late.owner, at: late.at }])
      expect(await names(library, NOON - HOUR)).toEqual([early.address])
      expect(await names(library, NOON + 5 * HOUR)).toEqual([])
    })

    promised('streams the thousands of texts of an hour', async (library) => {
      const many = Array.from({ length: 1000 }, (_, i) => textOf(`text ${i}`, NOON + i))
      await library.putTexts(many)
      expect(await names(library, NOON)).toEqual(many.map(({ address: own }) => own).sort())
    })

    promised('drops only the given texts, and keeps those stored again since', async (library) => {
      const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
      await library.putTexts([bench, ferry])
      await library.putTexts([{ ...ferry, at: (NOON + HOUR) as Instant }])
      await library.dropTexts([bench, ferry])
      const [gone, kept] = await library.getTexts([bench.address, ferry.address])
      expect([gone, kept && Buffer.from(kept).toString()]).toEqual([undefined, 'a ferry'])
      expect([await names(library, NOON), await names(library, NOON + HOUR)]).toEqual([[], [ferry.address]])
      await library.dropTexts([bench])
    })

    promised('stores a dropped text again', async (library) => {
      const bench = textOf('a bench')
      await library.putTexts([bench])
      await library.dropTexts([bench])
      await library.putTexts([{ ...bench, at: (NOON + 1) as Instant }])
      expect((await library.getTexts([bench.address]))[0]).toBeDefined()
    })

    stacksPromises((sentence, hold) => promised(sentence, (library, other) => hold(library, other, NOON)))

    promised('reports its health', async (library) => {
      expect((await library.health()).isHealthy).toBe(true)
    })
  })
}

function textOf(said: string | Uint8Array, at: number = NOON): ContentText {
  const bytes = Buffer.from(said as string)
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const owner = { kind: 'entry', feedId: NOON, key: 'a key / with "signs"' } as ContentText['owner']
  return { address: `f${NOON}/${digest}` as ContentAddress, owner, at: at as Instant, bytes }
}

async function all(library: ContentStore, hour: number): Promise<ContentTextInfo[]> {
  const found: ContentTextInfo[] = []
  for await (const text of library.textsOfHour(hour as Instant)) found.push(text)
  return found
}

async function names(library: ContentStore, hour: number): Promise<ContentAddress[]> {
  return (await all(library, hour)).map(({ address }) => address).sort()
}
