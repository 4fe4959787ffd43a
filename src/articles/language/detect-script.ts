/** The script of most letters of a text. Many scripts have a single language, and need no detector. */

/** ISO 15924, for scripts used in news. Japanese is distinguished from Chinese by its Kana. */
const RANGES: readonly (readonly [from: number, to: number, script: string])[] = [
  [0x41, 0x24f, 'Latn'],
  [0x1e00, 0x1eff, 'Latn'],
  [0x400, 0x52f, 'Cyrl'],
  [0x600, 0x6ff, 'Arab'],
  [0x750, 0x77f, 'Arab'],
  [0xfb50, 0xfdff, 'Arab'],
  [0xfe70, 0xfefc, 'Arab'],
  [0x4e00, 0x9fff, 'Hani'],
  [0x3400, 0x4dbf, 'Hani'],
  [0x3041, 0x30ff, 'Jpan'],
  [0xac00, 0xd7a3, 'Kore'],
  [0x1100, 0x11ff, 'Kore'],
  [0x370, 0x3ff, 'Grek'],
  [0x1f00, 0x1fff, 'Grek'],
  [0x531, 0x58f, 'Armn'],
  [0x591, 0x5f4, 'Hebr'],
  [0x780, 0x7bf, 'Thaa'],
  [0x900, 0x97f, 'Deva'],
  [0x980, 0x9ff, 'Beng'],
  [0xa00, 0xa7f, 'Guru'],
  [0xa80, 0xaff, 'Gujr'],
  [0xb00, 0xb7f, 'Orya'],
  [0xb80, 0xbff, 'Taml'],
  [0xc00, 0xc7f, 'Telu'],
  [0xc80, 0xcff, 'Knda'],
  [0xd00, 0xd7f, 'Mlym'],
  [0xd80, 0xdff, 'Sinh'],
  [0xe01, 0xe7f, 'Thai'],
  [0xe81, 0xeff, 'Laoo'],
  [0xf00, 0xfff, 'Tibt'],
  [0x1000, 0x109f, 'Mymr'],
  [0x10a0, 0x10ff, 'Geor'],
  [0x1200, 0x139f, 'Ethi'],
  [0x1780, 0x17ff, 'Khmr'],
  [0x1820, 0x18aa, 'Mong'],
]

const MAX_CHARS = 2_000
const KANA_OF_JAPANESE = 0.1 // headlines have fewer Kana than texts; Chinese has them only in names

export interface DetectedScript {
  script: string
  /** Number of letters of that script in the examined text. */
  letters: number
}

/** Undefined if the text has no known letters. Scripts that say more per letter than Latin weigh more. */
export function detectScript(text: string): DetectedScript | undefined {
  const letters = new Map<string, number>()
  const end = Math.min(text.length, MAX_CHARS)
  let ascii = 0 // most of most texts
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code < 0xc0) ascii += Number(isAsciiLetter(code))
    else {
      const script = scriptAt(code)
      if (script !== undefined) letters.set(script, (letters.get(script) ?? 0) + 1)
    }
  }
  if (ascii > 0) letters.set('Latn', (letters.get('Latn') ?? 0) + ascii)
  const kana = letters.get('Jpan') ?? 0
  const han = letters.get('Hani') ?? 0
  if (kana + han > 0) {
    const isJapanese = kana >= KANA_OF_JAPANESE * (kana + han)
    letters.set('Jpan', isJapanese ? DENSE * (kana + han) : 0)
    letters.set('Hani', isJapanese ? 0 : DENSE * (kana + han))
  }
  let best: DetectedScript | undefined
  for (const [script, count] of letters) if (count > (best?.letters ?? 0)) best = { script, letters: count }
  return best
}

const DENSE = 3

function scriptAt(code: number): string | undefined {
  for (const [from, to, script] of RANGES) if (code >= from && code <= to) return script
  return undefined
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
