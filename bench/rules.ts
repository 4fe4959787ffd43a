/**
 * What rules cost for each new entry: `node bench/rules.ts [--rules 500] [--entries 500]`. Entries have a title of eight words and a text
 * of 400, drawn as people use them. Rules are words with their inflected forms, phrases, prefixes, and words in one part of the entry;
 * then the same with fifty regular expressions, which is the most a user can have; then hostile expressions over the longest text.
 */
import { parseArgs } from 'node:util'
import type { EntryId, FeedId, Rule } from '../src/model/index.ts'
import { parseRuleQuery, type SearchDocument } from '../src/ports/index.ts'
import { type CompiledRule, compileQuery, createRuleMatcher, type RuleQuery, ruleDocument } from '../src/rules/index.ts'
import { commit } from './current-commit.ts'

const { values } = parseArgs({
  options: { rules: { type: 'string', default: '500' }, entries: { type: 'string', default: '500' } },
})
const [RULES, ENTRIES] = [Number(values.rules), Number(values.entries)]
const PATTERNS = 50
const ROUNDS = 5

let seed = 7
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}
const SYLLABLES = ['wa', 'ter', 'ri', 'mo', 'sel', 'ta', 'no', 'ke', 'lin', 'gar', 'do', 'pe']
const word = () => {
  let n = Math.floor(20_000 ** random())
  let text = ''
  do {
    text += SYLLABLES[n % SYLLABLES.length]
    n = Math.floor(n / SYLLABLES.length)
  } while (n > 0)
  return text
}
const words = (count: number) => Array.from({ length: count }, word).join(' ')

const documents = Array.from(
  { length: ENTRIES },
  (_, i): SearchDocument => ({
    id: (i + 1) as EntryId,
    feedId: (1 + (i % 50)) as FeedId,
    at: 0,
    title: words(8),
    text: words(400),
    names: [words(2)],
    language: 'en',
    category: 'none',
    host: 'news.example.org',
  }),
)

function compiled(query: string, i: number): CompiledRule {
  const parsed = parseRuleQuery(query, 0)
  if ('fault' in parsed) throw new Error(parsed.fault)
  const result = compileQuery(parsed.query as RuleQuery)
  if ('fault' in result) throw new Error(result.fault)
  const rule: Rule = {
    id: String(i),
    name: query,
    enabled: true,
    scope: { kind: 'all' },
    query,
    actions: [{ kind: 'label', label: `l${i % 20}` }],
  }
  return { rule, ...result }
}

const FORMS = [
  () => `${word()} ${word()}`,
  () => word(),
  () => `"${words(2)}"`,
  () => `${word()} OR ${word()} -${word()}`,
  () => `title:${word()}`,
  () => `${word()}ta*`,
]
const wordRules = Array.from({ length: RULES }, (_, i) => compiled(FORMS[i % FORMS.length]!(), i))
const patternRules = wordRules.map((rule, i) =>
  i < PATTERNS ? compiled(`/\\b${word()}(s|ing)?\\b.*${word()}/i`, i) : rule,
)

/** Milliseconds per entry: the best of some rounds. */
function msPerEntry(work: (document: SearchDocument) => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    for (const document of documents) work(document)
    return (performance.now() - start) / documents.length
  })
  return Math.min(...rounds)
}

const indexed = new Map(documents.map((document) => [document, ruleDocument(document, undefined)]))
function match(rules: CompiledRule[]) {
  const matcher = createRuleMatcher(rules)
  return (document: SearchDocument) => void matcher(indexed.get(document)!, { starred: false }, 0)
}
console.log(`${RULES} rules, ${ENTRIES} entries of 408 words, Node ${process.versions.node}, ${commit()}\n`)
console.table({
  'index the words of the entry': {
    'ms per entry': msPerEntry((document) => void ruleDocument(document, undefined)).toFixed(3),
  },
  [`match ${RULES} rules of words`]: { 'ms per entry': msPerEntry(match(wordRules)).toFixed(3) },
  [`match them with ${PATTERNS} regular expressions`]: { 'ms per entry': msPerEntry(match(patternRules)).toFixed(3) },
})

const LONGEST = ruleDocument({ ...documents[0]!, text: `${'a'.repeat(99_999)}!` }, undefined)
const HOSTILE = [
  '/(a+)+$/',
  '/(a|a)*$/',
  '/(.*a){20}$/',
  '/(a?){300}a{300}x/',
  '/.*.*.*.*=.*/',
  '/(?:[ab]{1,30}c?){1,30}[xy]/',
  '/(?:.*[ab]){15}[0-9]/',
  '/(?:[ab][^c]{0,200}){4}[0-9]/',
]
console.log('\nhostile expressions over a text of 100,000 letters:')
console.table(
  Object.fromEntries(
    HOSTILE.map((pattern) => {
      const rule = compiled(pattern, 0)
      const start = performance.now()
      createRuleMatcher([rule])(LONGEST, { starred: false }, 0)
      return [pattern, { ms: (performance.now() - start).toFixed(1) }]
    }),
  ),
)
