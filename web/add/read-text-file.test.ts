import { expect, it } from 'vitest'
import { textOf } from './read-text-file.ts'

const list = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><opml text="Mühlbach"/>`
const codes = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))
const narrow = (text: string) => Uint8Array.from(codes(text))
const wide = (text: string) => Uint8Array.from(codes(text).flatMap((code) => [code & 0xff, code >> 8]))
const wideBackwards = (text: string) => Uint8Array.from(codes(text).flatMap((code) => [code >> 8, code & 0xff]))

it.each([
  ['utf-8', new TextEncoder().encode(list('utf-8'))],
  ['utf-8', new TextEncoder().encode(`\ufeff${list('utf-8')}`)],
  ['utf-16', wide(list('utf-16'))],
  ['utf-16', wide(`\ufeff${list('utf-16')}`)],
  ['utf-16', wideBackwards(`\ufeff${list('utf-16')}`)],
  ['iso-8859-1', narrow(list('iso-8859-1'))],
  ['nobody-knows-it', narrow(list('nobody-knows-it'))],
])('reads a dropped list in %s', async (encoding, bytes) => {
  expect(await textOf(new Blob([bytes]))).toBe(list(encoding))
})
