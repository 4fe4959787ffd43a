/**
 * Rules that cannot be audited, with the reason: the data needed is not stored, on purpose or because of its cost. They are covered by
 * tests (docs/politeness-rules.md). Also lists the rules that only an archive of requests can show.
 */

/** Only judged with an archive: the log has no headers, no pages and no discovery requests. */
export const AUDITED_BY_ARCHIVE = [3, 4, 5, 6, 22, 23, 31, 33, 34, 35, 37, 39, 40, 41, 43, 44, 52] as const

/** A sentence without a full stop. */
export const UNAUDITED_RULES: ReadonlyMap<number, string> = new Map([
  [7, 'restarts are not in the log; a poll after one that forgot its validators would break rule 1'],
  [10, 'restarts are not in the log; a poll that came early after one would break rule 11 or 12'],
  [24, 'the log has the result of a poll, not its redirects; a feed stores only its current address'],
  [25, 'the log has the result of a poll, not its redirects'],
  [26, 'the log has the result of a poll, not its redirects; such a poll is logged as "not a feed"'],
  [30, 'state that a poll leaves unchanged is not logged; such a poll is logged as "not a feed"'],
  [32, 'the store has one feed per address, so nothing can be counted twice'],
  [42, 'it is a setting, --robots, and the log does not say which addresses users entered'],
  [45, 'the links of a document are not stored, only the chosen hub'],
  [47, 'requests of hubs are not stored, because anyone could fill the log with them'],
  [48, 'unsigned pushes are ignored and not stored; freshet status --hubs counts them'],
  [49, 'response times to hubs are not stored'],
])
