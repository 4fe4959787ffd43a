import { expect, test } from 'vitest'
import { activityOf } from './reader-activity.ts'

test.each([
  [{ readers: 2, reads: 20 }, { readers: 10, reads: 100 }, 1],
  [{ readers: 1, reads: 20 }, { readers: 10, reads: 100 }, 2],
  [{ readers: 4, reads: 20 }, { readers: 10, reads: 100 }, 0.5],
  [{ readers: 1, reads: 0 }, { readers: 10, reads: 100 }, 0.25],
  [{ readers: 1, reads: 100 }, { readers: 10, reads: 100 }, 4],
  [{ readers: 3, reads: 0 }, { readers: 10, reads: 0 }, 1],
  [{ readers: 0, reads: 0 }, { readers: 0, reads: 0 }, 1],
])('with reads %j of total %j, activity is %d', (ofFeed, total, activity) => {
  expect(activityOf(ofFeed, total)).toBeCloseTo(activity, 10)
})
