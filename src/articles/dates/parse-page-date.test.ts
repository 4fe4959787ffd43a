/** Machine-readable and written dates in many languages. */
import { describe, expect, test } from 'vitest'
import { parsePageDate } from './parse-page-date.ts'

test.each([
  ['2024-05-31T08:00:00+02:00', '2024-05-31T08:00:00+02:00'],
  ['2024-05-31T08:00:00.123Z', '2024-05-31T08:00:00Z'],
  ['2024-05-31 08:00', '2024-05-31T08:00:00'],
  ['2024-5-3', '2024-05-03'],
  ['20240531', '2024-05-31'],
  ['2024/05/31', '2024-05-31'],
  ['1574168486', '2019-11-19T13:01:26Z'],
  ['1574168486000', '2019-11-19T13:01:26Z'],
  ['Fri, 05 Jun 2020 10:00:00 GMT', '2020-06-05T10:00:00Z'],
  ['Tue Nov 19 2019 10:00:00 GMT+0100', '2019-11-19T10:00:00+01:00'],
  ['Published May 31, 2024 at 2:15 p.m. EST', '2024-05-31T14:15:00-05:00'],
  ['10:45 am, June 5th, 2020', '2020-06-05T10:45:00'],
  ['12:05 a.m., June 5th, 2020', '2020-06-05T00:05:00'],
  ['07-Jan-2021', '2021-01-07'],
  ['Stand: 31.05.2024, 8:30 Uhr', '2024-05-31T08:30:00'],
  ['31. Mai 2024', '2024-05-31'],
  ['le 1er mars 2021 à 12h30', '2021-03-01T12:30:00'],
  ['5 de junio de 2020', '2020-06-05'],
  ['12 października 2021', '2021-10-12'],
  ['5. kesäkuuta 2020', '2020-06-05'],
  ['2020. május 5.', '2020-05-05'],
  ['2020 m. gegužės 5 d.', '2020-05-05'],
  ['5 июня 2020, 14:00', '2020-06-05T14:00:00'],
  ['5 Ιουνίου 2020', '2020-06-05'],
  ['5 Haziran 2020', '2020-06-05'],
  ['ngày 5 tháng 6 năm 2020', '2020-06-05'],
  ['5 Juni 2020', '2020-06-05'],
  ['2020年6月5日 12:30', '2020-06-05T12:30:00'],
  ['2020년 6월 5일 오후 3:20', '2020-06-05T15:20:00'],
  ['५ जून २०२०', '2020-06-05'],
  ['٥ يونيو ٢٠٢٠', '2020-06-05'],
  ['5 ביוני 2020', undefined],
  ['5 יוני 2020', '2020-06-05'],
  ['15 กรกฎาคม 2563', '2020-07-15'],
  ['۱۵ خرداد ۱۴۰۰', '2021-06-05'],
  ['1 فروردین 1403', '2024-03-20'],
  ['30 February 2020', undefined],
  ['2020-13-01', undefined],
  ['1 May 1789', undefined],
  ['chapter 12 of 2020 pages', undefined],
  ['tomorrow', undefined],
  ['', undefined],
  ['9'.repeat(10_000), undefined],
])('%s', (text, iso) => {
  expect(parsePageDate(text)?.iso).toBe(iso)
})

describe('5/6/2024', () => {
  test('is in June if the day comes first, and in May if the month does', () => {
    expect(parsePageDate('5/6/2024', 'day-first')?.iso).toBe('2024-06-05')
    expect(parsePageDate('5/6/2024', 'month-first')?.iso).toBe('2024-05-06')
  })

  test('is read in the other order if that is the only possible one', () => {
    expect(parsePageDate('5/16/2024', 'day-first')?.iso).toBe('2024-05-16')
    expect(parsePageDate('16/5/2024', 'month-first')?.iso).toBe('2024-05-16')
  })
})

test('computes the instant of a time with an offset, and reads one without as UTC', () => {
  expect(parsePageDate('2024-05-31T08:00:00+02:00')?.at).toBe(Date.UTC(2024, 4, 31, 6))
  expect(parsePageDate('2024-05-31T08:00:00')?.at).toBe(Date.UTC(2024, 4, 31, 8))
  expect(parsePageDate('31 May 2024')).toEqual({ at: Date.UTC(2024, 4, 31), iso: '2024-05-31', dateOnly: true })
})
