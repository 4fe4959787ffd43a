/** Compiles rules of a user: resolves the names of feeds and folders, for the feeds that the user sees. */
import type { FeedId, Instant, Rule, RuleScope, UserId } from '../model/index.ts'
import { parseRuleQuery, type QueryFault, type Roles, type TypedRuleTerm } from '../ports/index.ts'
import { type CompiledRule, compileQuery, type RuleQuery, type RuleTerm } from '../rules/index.ts'
import { feedsInFolder, resolveTerm, stateTest } from '../views/index.ts'

type Stores = Pick<Roles, 'catalogue' | 'readerState'>

/** Regular expressions of a user's rules together: bounds the time for an entry. */
export const MAX_PATTERNS = 50

export interface CompileContext {
  userId: UserId
  now: Instant
}

export async function compileRule(
  rule: Rule,
  stores: Stores,
  context: CompileContext,
): Promise<{ compiled: CompiledRule } | QueryFault> {
  const resolved = await resolveRuleQuery(rule.query, stores, context)
  if ('fault' in resolved) return resolved
  const query = compileQuery(resolved)
  if ('fault' in query) return { ...query, hint: 'see docs/rules.md for the syntax' }
  const feeds = await feedsInScope(rule.scope, stores, context)
  return { compiled: { rule, ...query, ...(feeds && { feeds }) } }
}

/** The enabled rules in their order, without those that cannot be resolved now, such as of a feed that is gone. */
export async function compileRules(
  rules: readonly Rule[],
  stores: Stores,
  context: CompileContext,
): Promise<CompiledRule[]> {
  const compiled: CompiledRule[] = []
  for (const rule of rules) {
    if (!rule.enabled) continue
    const result = await compileRule(rule, stores, context)
    if ('compiled' in result) compiled.push(result.compiled)
  }
  return compiled
}

/** Regular expressions in a query. */
export function countPatterns(query: string): number {
  const parsed = parse(query, 0)
  if ('fault' in parsed) return 0
  const { all, none } = parsed.query
  return [...all.flat(), ...none].filter(({ kind }) => kind === 'pattern').length
}

function parse(query: string, now: Instant) {
  return query.trim() === '' ? { query: { all: [], none: [] } } : parseRuleQuery(query, now)
}

async function resolveRuleQuery(
  text: string,
  stores: Stores,
  { userId, now }: CompileContext,
): Promise<RuleQuery | QueryFault> {
  const parsed = parse(text, now)
  if ('fault' in parsed) return parsed
  const { all, none, ...dates } = parsed.query
  const query: RuleQuery = { all: [], none: [], ...dates }
  const resolve = async (term: TypedRuleTerm): Promise<RuleTerm | QueryFault> => {
    if (term.kind === 'part' || term.kind === 'url' || term.kind === 'pattern') return term
    if (term.kind === 'is' || term.kind === 'label') return { kind: 'state', matches: stateTest(term) }
    return resolveTerm(term, stores, userId)
  }
  for (const clause of all) {
    const terms: RuleTerm[] = []
    for (const typed of clause) {
      const term = await resolve(typed)
      if ('fault' in term) return term
      terms.push(term)
    }
    query.all.push(terms)
  }
  for (const typed of none) {
    const term = await resolve(typed)
    if ('fault' in term) return term
    query.none.push(term)
  }
  return query
}

async function feedsInScope(
  scope: RuleScope,
  stores: Stores,
  { userId }: CompileContext,
): Promise<Set<FeedId> | undefined> {
  if (scope.kind === 'all') return undefined
  if (scope.kind === 'feed') return new Set([scope.feedId])
  return new Set(await feedsInFolder(scope.folder, stores, userId))
}
