import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, printable, printableLines, withoutControls } from './printable.ts'

const ESCAPE = '\u001b'
const NASTY = [
  `${ESCAPE}[2J${ESCAPE}[H`,
  `${ESCAPE}]0;title\u0007`,
  `${ESCAPE}]52;c;cm0gLXJm\u001b\\`,
  `${ESCAPE}P+q\u001b\\`,
  '\u009b31m',
  '\u009d0;title\u009c',
  'a\rb',
  'a\bb',
  '\u007f',
  '\u0000',
  'a\u202eb\u202c',
  '\u2066a\u2069',
  '\u061ca',
]
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('printable text', () => {
  it.each(NASTY)('contains no control sequence of %j', (text) => {
    expect(printable(`x${text}y`)).not.toMatch(UNSAFE)
    expect(printableLines(`x${text}y`)).not.toMatch(UNSAFE)
    expect(jsonText(`x${text}y`)).not.toMatch(UNSAFE)
    expect(withoutControls(`x${text}y`)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  })

  it('is one line, or keeps lines and tabs', () => {
    expect(printable('a\r\nb\n\tc\u2028d')).toBe('a b c d')
    expect(printableLines('a\r\nb\n\tc\u2028d')).toBe('a\nb\n\tc\nd')
    expect(withoutControls('a\r\nb\n\tc')).toBe('a\nb\n\tc')
  })

  it('keeps letters of all scripts and joiners', () => {
    const text = 'Grüße, 河湾市, שלום, می‌خواهم, 👩‍👩‍👧, e\u0301, ½ – “x”'
    for (const made of [printable, printableLines, withoutControls]) expect(made(text)).toBe(text)
  })

  it('is equivalent as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText({ text })
        expect(JSON.parse(json)).toEqual({ text })
        expect(json).not.toMatch(UNSAFE)
      }),
    )
    expect(JSON.parse(jsonText(NASTY))).toEqual(NASTY)
  })
})
