/** Contract tests for several owners, which do not apply to a file. */
const ALONE = 'a file has one owner, who has all buckets'

export const SINGLE_OWNER = {
  'gives a bucket to one owner at a time, and to the next one after its release': ALONE,
  'redistributes the buckets of owners that died or retired': ALONE,
  'leases only items in owned buckets, and nothing for outdated epochs': ALONE,
  'filters articles, hub subscriptions and leases by owned buckets': ALONE,
  'has one leader per role, and replaces one that dies or resigns': ALONE,
  'elects one of many concurrent candidates': ALONE,
}
