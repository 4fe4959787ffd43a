/** Applies users' rules to entries: to new ones while the server runs, and to old ones on request. */
export { compileRule, countPatterns, MAX_PATTERNS } from './compile-rules.ts'
export { applyListedRules, type ListedRule } from './listed-rules.ts'
export { applyToOld, previewMatches } from './old-entries.ts'
export { createRuleRunner } from './run-rules.ts'
export { loadProgress, loadRules, matchesThisWeek, saveRules } from './stored-rules.ts'
