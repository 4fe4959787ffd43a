/** Rules of users: compiled queries, and what the rules of a user do with an entry. */
export {
  type CompiledQuery,
  compileQuery,
  type RuleDocument,
  type RuleQuery,
  type RuleTerm,
  ruleDocument,
} from './compile-query.ts'
export { type CompiledRule, createRuleMatcher, type RuleOutcome } from './match-rules.ts'
export { compileRewrites } from './rewrite.ts'
