/**
 * Rules that an audit cannot judge, each with the reason: what it would take is not kept, by intention or because it would cost
 * more than it shows. Their tests show them (docs/rules.md). And those that only an archive of requests can show.
 */

/** Judged with an archive alone: the log keeps no headers, no pages and nothing that is met while a feed is looked for. */
export const TOLD_BY_ARCHIVE = [3, 4, 5, 6, 22, 23, 31, 33, 34, 35, 37, 39, 40, 41, 43, 44, 52] as const

/** A sentence without a full stop. */
export const UNTOLD: ReadonlyMap<number, string> = new Map([
  [7, 'restarts are not in the log; a poll after one that forgot its validators would break rule 1'],
  [10, 'restarts are not in the log; a poll that came early after one would break rule 11 or 12'],
  [24, 'the log says what became of a poll, not by which way it came; a feed keeps its last address only'],
  [25, 'the log says what became of a poll, not by which way it came'],
  [26, 'the log says what became of a poll, not by which way it came; such a poll stands there as "not a feed"'],
  [30, 'what a poll did not clear leaves no line; such a poll stands there as "not a feed"'],
  [32, 'the store holds one feed for an address, so there is nothing that could be counted twice'],
  [42, 'it is a setting, --robots, and the log does not say which addresses a person typed'],
  [45, 'which links a document had is not kept, only the hub that was chosen'],
  [47, 'what hubs ask us is not kept: anybody could fill the log with it'],
  [48, 'what is not signed is ignored and not kept; freshet status --hubs counts how often it came'],
  [49, 'how soon a hub was answered is not kept'],
])
