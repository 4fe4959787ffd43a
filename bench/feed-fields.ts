/** The fields of a polled feed besides names and addresses, of typical length. */
import type { NewFeed } from '../src/ports/index.ts'

type Fields = 'language' | 'format' | 'validators' | 'bodyHash' | 'subscribers' | 'state'

export function feedFields(number: number): Pick<NewFeed['feed'], Fields> {
  return {
    language: 'en',
    format: 'rss',
    validators: { etag: `W/"${number}-5f3a9c01d2"`, lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT' },
    bodyHash: `${number}`.padStart(32, 'c0ffee'),
    subscribers: 1,
    state: 'active',
  }
}
