import { expect, test } from 'vitest'
import { addressDay } from './url-date.ts'

const dayOf = (path: string) => {
  const day = addressDay(`https://lamp.example${path}`)
  return day === undefined ? undefined : new Date(day).toISOString().slice(0, 10)
}

test.each([
  ['/2020/02/19/mill', '2020-02-19'],
  ['/2020/2/19/mill', '2020-02-19'],
  ['/news/2020-02-19-mill.html', '2020-02-19'],
  ['/2020-02/19/mill', '2020-02-19'],
  ['/news/2020-02/19', '2020-02-19'],
  ['/202002/19/mill', '2020-02-19'],
  ['/2020/0219/mill', '2020-02-19'],
  ['/t20200219_77.html', '2020-02-19'],
  ['/2020/feb/19/mill', '2020-02-19'],
  ['/mill-sold/29-10-2021', '2021-10-29'],
  ['/mill_29.10.2021.html', '2021-10-29'],
  ['/29102021-mill-sold', '2021-10-29'],
  ['/2020/02/09-mill', '2020-02-09'],
])('%s has the date %s', (path, day) => expect(dayOf(path)).toBe(day))

test.each([
  '/2039026',
  '/story/2039026/mill',
  '/20390261',
  '/2020/02/10-mills-to-see',
  '/2020-02/10-mills-to-see',
  '/2020/02/mill',
  '/2020-13/19/',
  '/v1.2.2021/',
  '/10112021x',
  '/31022021-mill',
  '/08112021-mill',
])('%s has no certain date', (path) => expect(dayOf(path)).toBeUndefined())
