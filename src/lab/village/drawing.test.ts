import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { drawIcon, drawLandscape } from './drawing.ts'

it.each(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])('draws the same small PNG file for the same name: %s', (name) => {
  const file = Buffer.from(drawLandscape(name, 90, 60))
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([90, 60])
  const colors = file.readUInt32BE(33) / 3
  const data = 33 + 12 + colors * 3
  const pixels = inflateSync(file.subarray(data + 8, data + 8 + file.readUInt32BE(data)))
  expect(pixels.length).toBe(91 * 60)
  expect(Math.max(...pixels)).toBeLessThan(colors)
  expect(file).toEqual(Buffer.from(drawLandscape(name, 90, 60)))
  expect(file.length).toBeLessThan(5000)
})

it('draws icons', () => {
  expect(drawIcon('gazette').length).toBeLessThan(1000)
})
