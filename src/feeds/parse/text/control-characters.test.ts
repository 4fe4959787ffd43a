import { describe, expect, it } from 'vitest'
import { mayHaveControls, removeControlCharacters } from './control-characters.ts'

describe('control characters', () => {
  it.each([
    ['a\0b\x07c\x7fd\te\n', 'abcd\te\n'],
    ['it\x92s \x93here\x94 \x96 \x80', 'it’s “here” – €'],
    ['\x81\x8d\x8f\x90\x9d', ''],
    ['\xe2\x80\x99 \xe2\x80\x9c \xe2\x82\xac', '’ “ €'],
    ['m\xe2che\x85 \xc9\x94 \xe3\x85\x94', 'mâche… É” ã…”'],
    ['Ümläute, €, “quotes” and 雪', 'Ümläute, €, “quotes” and 雪'],
  ])('reads %j as %j', (text, expected) => {
    expect(removeControlCharacters(text)).toBe(expected)
    expect(mayHaveControls(Buffer.from(text), text)).toBe(text !== expected)
  })

  it('are found in documents of other encodings', () => {
    const wide = Buffer.from('it\x92s', 'utf16le')
    expect(mayHaveControls(wide, 'it\x92s')).toBe(true)
    expect(mayHaveControls(Buffer.from([0x81, 0xe9]), '\x81é')).toBe(true)
    expect(mayHaveControls(Buffer.from([0x93, 0xe9]), '“é')).toBe(false)
  })
})
