/**
 * Every promise that library.ts makes, for each driver: `libraryContract('memory', open)`. `open` gives two handles on one library, which
 * all promises share: each has days and feeds of its own, for to make and to empty one takes a large store seconds.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant } from '../model/index.ts'
import { stacksPromises } from './content-records.contract.ts'
import type { Library, LibraryText, ShelvedText, TextName } from './index.ts'

let NOON = Date.UTC(2026, 2, 14, 12) as Instant

export function libraryContract(name: string, open: () => Promise<{ library: Library; other: Library }>): void {
  describe(`the ${name} library`, () => {
    let opened: { library: Library; other: Library } | undefined
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
    const promised = (sentence: string, hold: (library: Library, other: Library) => Promise<void>) =>
      it(sentence, async () => hold(opened!.library, opened!.other))

    promised(
      'gives back what it keeps, in the order of the names, and nothing for those that it does not know',
      async (library) => {
        const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
        await library.keep([bench, ferry])
        const found = await library.textsOf([ferry.name, textOf('fog').name, bench.name])
        expect(found.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(['a ferry', undefined, 'a bench'])
      },
    )

    promised('keeps any bytes, however many, and none', async (library) => {
      const bytes = new Uint8Array(1_500_000).map((_, i) => (i * 31) ^ (i >> 8))
      const texts = [textOf(bytes), textOf(''), textOf(new Uint8Array([0, 255, 0]))]
      await library.keep(texts)
      const found = await library.textsOf(texts.map(({ name: own }) => own))
      expect(found.map((got) => got?.length)).toEqual([1_500_000, 0, 3])
      expect(Buffer.from(found[0]!).equals(Buffer.from(bytes))).toBe(true)
    })

    promised('is told the same twice, or by two at once, and keeps it once', async (library, other) => {
      const bench = textOf('a bench')
      await Promise.all([library.keep([bench, bench]), other.keep([bench]), other.keep([textOf('a ferry')])])
      await library.keep([bench])
      expect(await names(library, NOON)).toEqual([bench.name, textOf('a ferry').name].sort())
    })

    promised('tells what was kept in an hour, with whose it is', async (library) => {
      const early = textOf('early', NOON - 1)
      const late = { ...textOf('late', NOON + HOUR - 1), owner: { kind: 'article', articleId: 9 } } as LibraryText
      await library.keep([early, late, textOf('later', NOON + HOUR)])
      expect(await all(library, NOON)).toEqual([{ name: late.name, owner: late.owner, at: late.at }])
      expect(await names(library, NOON - HOUR)).toEqual([early.name])
      expect(await names(library, NOON + 5 * HOUR)).toEqual([])
    })

    promised('tells an hour of thousands one by one', async (library) => {
      const many = Array.from({ length: 1000 }, (_, i) => textOf(`text ${i}`, NOON + i))
      await library.keep(many)
      expect(await names(library, NOON)).toEqual(many.map(({ name: own }) => own).sort())
    })

    promised('drops just these, and not what was kept again since', async (library) => {
      const [bench, ferry] = [textOf('a bench'), textOf('a ferry')]
      await library.keep([bench, ferry])
      await library.keep([{ ...ferry, at: (NOON + HOUR) as Instant }])
      await library.drop([bench, ferry])
      const [gone, kept] = await library.textsOf([bench.name, ferry.name])
      expect([gone, kept && Buffer.from(kept).toString()]).toEqual([undefined, 'a ferry'])
      expect([await names(library, NOON), await names(library, NOON + HOUR)]).toEqual([[], [ferry.name]])
      await library.drop([bench])
    })

    promised('keeps again what was dropped', async (library) => {
      const bench = textOf('a bench')
      await library.keep([bench])
      await library.drop([bench])
      await library.keep([{ ...bench, at: (NOON + 1) as Instant }])
      expect((await library.textsOf([bench.name]))[0]).toBeDefined()
    })

    stacksPromises((sentence, hold) => promised(sentence, (library, other) => hold(library, other, NOON)))

    promised('says how it is', async (library) => {
      expect((await library.health()).isWell).toBe(true)
    })
  })
}

function textOf(said: string | Uint8Array, at: number = NOON): LibraryText {
  const bytes = Buffer.from(said as string)
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const owner = { kind: 'entry', feedId: NOON, key: 'a key / with "signs"' } as LibraryText['owner']
  return { name: `f${NOON}/${digest}` as TextName, owner, at: at as Instant, bytes }
}

async function all(library: Library, hour: number): Promise<ShelvedText[]> {
  const found: ShelvedText[] = []
  for await (const text of library.keptIn(hour as Instant)) found.push(text)
  return found
}

async function names(library: Library, hour: number): Promise<TextName[]> {
  return (await all(library, hour)).map(({ name }) => name).sort()
}
