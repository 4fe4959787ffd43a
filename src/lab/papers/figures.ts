/** Measurements of the papers, for comparison with ours, under our names. */

/** Urbansky et al. (2011), Table 1: delay, polls per item and error, by feeds and by polls. */
export const TABLE_1: Readonly<Record<string, readonly [byFeeds: string, byPolls: string]>> = {
  fixed: ['30m; 222.06; 6,662', '30m; 21.02; 179'],
  'fixed:1d': ['12h9m; 9.52; 6,931', '12h25m; 1.91; 1,423'],
  'fix-learned': ['54h33m; 41.90; 137,139', '1h14m; 7.77; 570'],
  'post-rate': ['56h51m; 3.57; 12,174', '51m; 5.88; 300'],
  'moving-average': ['74h37m; 1.96; 8,773', '4m; 1.61; 6'],
}

/**
 * Adam et al. (2010), figures 7 and 6: pending articles, in total and in the worst source, relative to the posting
 * history.
 */
export const PENDING: Readonly<Record<string, readonly [inAll: string, inWorst: string]>> = {
  'posting-history': ['1', '1'],
  'min-delay': ['1.075', '1.112'],
  'round-robin': ['1.085', '1.334'],
}

/** Urbansky et al. (2011), 1: share of feeds that support conditional requests. */
export const SAYS_NOT_MODIFIED = 0.83

/** Ibid., 4.1: share of the traffic of hourly polls. */
export const TRAFFIC_SAVED: Readonly<Record<string, string>> = {
  'moving-average': '90 %',
  'post-rate': '90 %',
  'fix-learned': 'a bit',
  'fixed:1d': 'slightly more than 90 %',
}

/** Ibid., 4.2: of feeds with 300 items, after 25 finds or on average. */
export const TIMELINESS: Readonly<Record<string, string>> = {
  fixed: '30m',
  'fixed:1d': '11h',
  'fix-learned': '7m',
  'moving-average': '8m',
  'post-rate': 'more than either',
}

/** Adam et al. (2009), figure 3. */
export const ROUND_TIMES = ['minutes', 'more than 2 minutes', '10 s']
