/** Promises of a store that several owners share; a file has one. */
const ALONE = 'a file has one owner, who has all buckets'

export const ONE_OWNER = {
  'gives a bucket to one only, and to who comes as soon as the other has let go': ALONE,
  'gives the buckets of who has died or retired to those who live': ALONE,
  'gives an owner what is in its buckets, and who comes with an old epoch nothing': ALONE,
  'gives pages and hubs by their buckets, too, and says which leases there are': ALONE,
  'has one leader for each role, and another when that one dies or resigns': ALONE,
  'lets one of many who ask at once lead': ALONE,
}
