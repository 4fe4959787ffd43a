/**
 * Parses the rules in freshet.toml. Each is a table:
 *
 *     [[rules]]
 *     name = "ads"
 *     query = "sponsored OR title:/^ad:/i"   empty or missing: every entry
 *     folder = "News"                        only entries of this folder
 *     label = "Ads"                          or a list
 *     send = "Wallabag"                      or a list
 *     mute = true                            and read, star, keep-only, stop, fetch-article
 */
import { countPatterns, type ListedRule, MAX_PATTERNS } from '../filtering/index.ts'
import { MAX_LABEL_LENGTH, MAX_RULE_ACTIONS, type RuleAction } from '../model/index.ts'
import { parseRuleQuery } from '../ports/index.ts'
import { InputError } from './addresses.ts'

const MAX_LISTED = 100
const MAX_NAME = 100
/** Actions without a value. */
const SIMPLE = ['read', 'star', 'mute', 'keep-only', 'stop', 'fetch-article'] as const
const KEYS = ['name', 'query', 'folder', 'enabled', 'label', 'send', ...SIMPLE]

/** `value`: the value of "rules" in the file. */
export function parseListedRules(value: unknown, file: string): ListedRule[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new InputError(`rules in ${file} is not a list`, 'write each as a table: [[rules]]')
  if (value.length > MAX_LISTED)
    throw new InputError(`${file} has more than ${MAX_LISTED} rules`, 'combine queries with OR')
  const rules = value.map((table, i) => parseListedRule(table, `rule ${i + 1} in ${file}`))
  const names = rules.map(({ name }) => name.toLowerCase())
  const duplicate = names.find((name, i) => names.indexOf(name) < i)
  if (duplicate !== undefined)
    throw new InputError(`two rules in ${file} have the name ${duplicate}`, 'give each its own name')
  if (rules.reduce((sum, { query }) => sum + countPatterns(query), 0) > MAX_PATTERNS)
    throw new InputError(
      `rules in ${file} have more than ${MAX_PATTERNS} regular expressions`,
      'use words where possible',
    )
  return rules
}

function parseListedRule(table: unknown, where: string): ListedRule {
  if (typeof table !== 'object' || table === null)
    throw new InputError(`${where} is not a table`, 'write it as [[rules]]')
  const values = new Map<string, unknown>(Object.entries(table))
  const unknownKey = [...values.keys()].find((key) => !KEYS.includes(key))
  if (unknownKey !== undefined)
    throw new InputError(`${where} has an unknown key "${unknownKey}"`, `known keys: ${KEYS.join(', ')}`)
  const texts = (key: string, maxLength: number): string[] => {
    const list = [values.get(key) ?? []].flat()
    const isValid = list.every((text) => typeof text === 'string' && text.trim() !== '' && text.length <= maxLength)
    if (isValid) return list as string[]
    throw new InputError(`${where}: ${key} must be a text of at most ${maxLength} characters`, `write ${key} = "…"`)
  }
  const isSet = (key: string, preset: boolean): boolean => {
    const value = values.get(key) ?? preset
    if (typeof value === 'boolean') return value
    throw new InputError(`${where}: ${key} must be true or false`, `write ${key} = true`)
  }
  const [name] = texts('name', MAX_NAME)
  if (name === undefined) throw new InputError(`${where} has no name`, 'write name = "…"')
  const query = values.get('query') === '' ? '' : (texts('query', 1000)[0] ?? '')
  const parsed = query === '' ? undefined : parseRuleQuery(query, 0)
  if (parsed && 'fault' in parsed) throw new InputError(`${where}: ${parsed.fault}`, parsed.hint)
  const actions: RuleAction[] = [
    ...SIMPLE.filter((kind) => isSet(kind, false)).map((kind) => ({ kind })),
    ...texts('label', 100).map((label) => ({ kind: 'label' as const, label })),
    ...texts('send', 200).map((destination) => ({ kind: 'send' as const, destination })),
  ]
  if (actions.length === 0 || actions.length > MAX_RULE_ACTIONS)
    throw new InputError(`${where} has ${actions.length} actions`, `give 1 to ${MAX_RULE_ACTIONS}, such as star = true`)
  const [folder] = texts('folder', MAX_LABEL_LENGTH)
  const scope = folder === undefined ? ({ kind: 'all' } as const) : ({ kind: 'folder', folder } as const)
  return { name, enabled: isSet('enabled', true), scope, query, actions }
}
