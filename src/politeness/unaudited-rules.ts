/**
 * Rules that cannot be audited, with the reason: the data needed is not stored, on purpose or because of its cost. They are covered by
 * tests (docs/politeness-rules.md). Also lists the rules that only an archive of requests can show.
 */

/** Only judged with an archive: the log has no headers, no pages and no discovery requests. */
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
