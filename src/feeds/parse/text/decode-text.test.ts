import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

/** The platform can only decode legacy encodings, so encoding inverts its decoding table. */
function createEncoder(encoding: string): (text: string) => Buffer {
  const decoder = new TextDecoder(encoding)
  const bytesOf = new Map<string, number[]>()
  const learn = (bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== '\ufffd' && !bytesOf.has(character)) bytesOf.set(character, bytes)
  }
  for (let first = 0; first < 256; first++) learn([first])
  if (/jis|euc|gb|big5/.test(encoding)) {
    for (let first = 0x81; first < 0xff; first++)
      for (let second = 0x40; second < 0xff; second++) learn([first, second])
  }
  return (text) =>
    Buffer.from(
      [...text].flatMap((character) => {
        const bytes = bytesOf.get(character)
        if (!bytes) throw new Error(`${encoding} has no ${character}`)
        return bytes
      }),
    )
}

const feed = (sentence: string, declaration = '') =>
  `${declaration}<rss version="2.0"><channel><title>${sentence}</title><link>https://old.example/</link></channel></rss>`

const TEXTS: [string, string[]][] = [
  [
    'В горах сегодня выпал снег, и дорога через перевал закрыта до утра',
    ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866'],
  ],
  ['У горах сьогодні випав сніг, і дорога через перевал закрита', ['windows-1251', 'koi8-u']],
  ['今朝は山に雪が降り、峠の道は通れません。', ['shift_jis', 'euc-jp']],
  ['新しいブログ', ['shift_jis', 'euc-jp']],
  ['今天山里下了雪，经过山口的路要到明天才能开放。', ['gb18030']],
  ['今天山裡下了雪，經過山口的路要到明天才能開放。', ['big5']],
  ['오늘 산에 눈이 내려서 고개를 넘는 길은 내일까지 닫혀 있습니다', ['euc-kr']],
  ['Σήμερα έπεσε χιόνι στα βουνά και ο δρόμος είναι κλειστός', ['windows-1253', 'iso-8859-7']],
  ['היום ירד שלג בהרים והדרך סגורה עד מחר בבוקר', ['windows-1255']],
  ['سقط الثلج اليوم في الجبال والطريق مغلق حتى الصباح', ['windows-1256']],
  ['วันนี้หิมะตกบนภูเขาและถนนปิดจนถึงเช้า', ['windows-874']],
  ['L’hiver dernier, la route était fermée – « à cause de la neige » – jusqu’à Noël', ['windows-1252']],
  ['Über Nacht fiel Schnee, die Straße über den Paß ist gesperrt', ['windows-1252']],
  ['¿Quién cerró el camino de la montaña esta mañana?', ['windows-1252']],
  ['Dziś w górach spadł śnieg i drogę zamknięto aż do rana', ['windows-1250', 'iso-8859-2']],
  ['Na horách dnes napadl sníh a silnice přes průsmyk je zavřená, řidiči čekají', ['windows-1250', 'iso-8859-2']],
  [
    'Ma hó esett a hegyekben, az őrök lezárták az utat, és a vendégek várnak a völgyben',
    ['windows-1250', 'iso-8859-2'],
  ],
  ['Bugün dağlara kar yağdı ve geçitten geçen yol sabaha kadar kapalı kaldı', ['windows-1254']],
]

describe('decodeText', () => {
  it.each(
    TEXTS.flatMap(([sentence, encodings]) => encodings.map((encoding): [string, string] => [encoding, sentence])),
  )('sees that undeclared text is %s: %s', (encoding, sentence) => {
    expect(decodeText(createEncoder(encoding)(feed(sentence))).text).toBe(feed(sentence))
  })

  it('recognizes valid UTF-8, whatever server and document declare', () => {
    const text = feed('Übergröße', '<?xml version="1.0" encoding="koi8-r"?>')
    expect(decodeText(Buffer.from(text), 'text/xml; charset=iso-8859-1')).toEqual({ text, encoding: 'utf-8' })
  })

  it('prefers the HTTP header to the document, and the document to detection', () => {
    const text = feed('ëÁË ÐÅÒÅ', '<?xml version="1.0" encoding="windows-1252"?>')
    const bytes = createEncoder('windows-1252')(text)
    expect(decodeText(bytes, 'text/xml; charset="koi8-r"')).toMatchObject({ encoding: 'koi8-r' })
    expect(decodeText(bytes)).toEqual({ text, encoding: 'windows-1252' })
  })

  it('ignores a declaration that produces invalid text', () => {
    const text = feed('今朝は山に雪が降り、峠の道は通れません。')
    expect(decodeText(createEncoder('shift_jis')(text), 'text/xml; charset=utf-8')).toEqual({
      text,
      encoding: 'shift_jis',
    })
    expect(decodeText(createEncoder('shift_jis')(text), 'text/xml; charset=euc-jp')).toEqual({
      text,
      encoding: 'shift_jis',
    })
    expect(decodeText(createEncoder('shift_jis')(text), 'text/xml; charset=klingon')).toEqual({
      text,
      encoding: 'shift_jis',
    })
  })

  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'recognizes %s with and without byte order mark',
    (encoding) => {
      const text = feed('Fünf 😀', '<?xml version="1.0"?>')
      const encode = (sentence: string) => encodeWide(sentence, encoding)
      expect(decodeText(encode(`\ufeff${text}`))).toEqual({ text, encoding })
      expect(decodeText(encode(text))).toEqual({ text, encoding })
    },
  )

  it('reads a few invalid bytes in UTF-8 as windows-1252', () => {
    const bytes = Buffer.concat([
      Buffer.from('Größe über “alles”: '),
      Buffer.from([0x93, 0x41, 0x94]),
      Buffer.from(' später'),
    ])
    expect(decodeText(bytes)).toEqual({ text: 'Größe über “alles”: “A” später', encoding: 'utf-8' })
  })

  it('drops an incomplete character at the end of UTF-8', () => {
    const bytes = Buffer.from('Größe über €')
    expect(decodeText(bytes.subarray(0, -1)).text).toBe('Größe über ')
  })

  it('recognizes seven-bit encodings by name', () => {
    const bytes = Buffer.from('\x1b$B;3\x1b(B')
    expect(decodeText(bytes, 'text/xml; charset=iso-2022-jp')).toEqual({ text: '山', encoding: 'iso-2022-jp' })
  })

  it('reads the C1 range as windows-1252, also when declared as Latin-1', () => {
    const bytes = Buffer.from([0x80, 0x93, 0x96, 0x9f, 0xe9])
    expect(decodeText(bytes, 'text/plain; charset=iso-8859-1').text).toBe('€“–Ÿé')
  })
})

/** An earlier version decoded sixteen kilobytes in each of forty candidates, which took five milliseconds and more. */
it('detects undeclared Latin-1 in a few milliseconds, whatever the size of the document', () => {
  const item = `<item><title>Le fleuve a débordé</title><description>Près du moulin, à l'aube. ${'The river rose. '.repeat(20)}</description></item>`
  for (const items of [20, 200]) {
    const bytes = Buffer.from(`<rss><channel>${item.repeat(items)}</channel></rss>`, 'latin1')
    const times = Array.from({ length: 12 }, () => {
      const { user, system } = process.cpuUsage()
      expect(decodeText(bytes).encoding).toBe('windows-1252')
      const used = process.cpuUsage()
      return (used.user - user + used.system - system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(3)
  }
})

function encodeWide(text: string, encoding: string): Buffer {
  const little = encoding.endsWith('le')
  const units = encoding.startsWith('utf-32')
    ? [...text].map((character) => character.codePointAt(0)!)
    : Array.from(text, (_, at) => text.charCodeAt(at))
  const size = encoding.startsWith('utf-32') ? 4 : 2
  const codes = size === 4 ? units : Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  const bytes = Buffer.alloc(codes.length * size)
  for (const [index, code] of codes.entries()) {
    if (little) bytes.writeUIntLE(code, index * size, size)
    else bytes.writeUIntBE(code, index * size, size)
  }
  return bytes
}
