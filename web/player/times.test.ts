/** Times in recordings and texts. */
import { expect, it } from 'vitest'
import { clockOf, timesIn } from './times.ts'

it.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3723, '1:02:03'],
  [-1, '0:00'],
])('%d seconds are %s', (seconds, text) => expect(clockOf(seconds)).toBe(text))

it.each([
  ['0:00 Opening, (1:05) the mill and [1:02:03].', [0, 65, 3723]],
  ['At 75:30 they leave.', [4530]],
  ['At 9:30 am, 9:30pm, 8:15 Uhr, on 1:2:3, 10:99, 1.5:30 and 12:345.', []],
  ['http://example.org:8080/1:30', []],
])('finds the times of %j', (text, seconds) => expect(timesIn(text).map((time) => time.seconds)).toEqual(seconds))

it('finds times up to the end of the recording, with their place', () => {
  expect(timesIn('From 0:10 to 2:00', 60)).toEqual([{ from: 5, to: 9, seconds: 10 }])
})
