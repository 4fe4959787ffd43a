import { expect, test } from 'vitest'
import type { EntryId, FeedId, Rule, RuleAction } from '../model/index.ts'
import { foldedLabel } from '../ports/index.ts'
import { compileQuery, type RuleQuery, ruleDocument } from './compile-query.ts'
import { type CompiledRule, createRuleMatcher } from './match-rules.ts'

const ANYTHING: RuleQuery = { all: [], none: [] }
const WITH_X: RuleQuery = {
  all: [[{ kind: 'state', matches: ({ labels = [] }) => labels.some((label) => foldedLabel(label) === 'x') }]],
  none: [],
}

function rule(id: string, query: RuleQuery, actions: RuleAction[], feeds?: number[]): CompiledRule {
  const compiled = compileQuery(query)
  if ('fault' in compiled) throw new Error(compiled.fault)
  const about: Rule = { id, name: id, enabled: true, scope: { kind: 'all' }, query: '', actions }
  return { rule: about, ...compiled, ...(feeds && { feeds: new Set(feeds as FeedId[]) }) }
}

const entry = ruleDocument(
  {
    id: 1 as EntryId,
    feedId: 1 as FeedId,
    at: 0,
    title: 'tide',
    text: '',
    names: [],
    language: 'en',
    category: 'none',
  },
  undefined,
)
const outcomeOf = (rules: CompiledRule[]) => createRuleMatcher(rules)(entry, { starred: false }, 0)
const tide: RuleQuery = { all: [[{ kind: 'words', text: 'tide', prefix: false }]], none: [] }
const ebb: RuleQuery = { all: [[{ kind: 'words', text: 'ebb', prefix: false }]], none: [] }

test('rules act in their order, and later ones see the labels of earlier ones', () => {
  const label = rule('a', tide, [{ kind: 'label', label: 'X' }])
  const star = rule('b', WITH_X, [{ kind: 'star' }])
  expect(outcomeOf([label, star])).toMatchObject({ matched: ['a', 'b'], star: true, labels: ['X'] })
  expect(outcomeOf([star, label])).toMatchObject({ matched: ['a'], star: false })
})

test('stop skips later rules if the rule matches', () => {
  const last = rule('z', ANYTHING, [{ kind: 'read' }])
  expect(outcomeOf([rule('a', tide, [{ kind: 'stop' }]), last])).toMatchObject({ matched: ['a'], read: false })
  expect(outcomeOf([rule('a', ebb, [{ kind: 'stop' }]), last])).toMatchObject({ matched: ['z'], read: true })
})

test('keep only mutes what does not match, in the scope of the rule', () => {
  expect(outcomeOf([rule('a', ebb, [{ kind: 'keep-only' }])])).toMatchObject({ matched: [], mute: true })
  expect(outcomeOf([rule('a', tide, [{ kind: 'keep-only' }])])).toMatchObject({ matched: ['a'], mute: false })
  expect(outcomeOf([rule('a', ebb, [{ kind: 'keep-only' }], [2])])).toMatchObject({ mute: false })
  expect(outcomeOf([rule('a', tide, [{ kind: 'mute' }], [1, 2])])).toMatchObject({ mute: true })
})

test('effects are collected from matching rules, each once', () => {
  const fetch = { kind: 'fetch-article' } as const
  const rules = [rule('a', tide, [fetch]), rule('c', ANYTHING, [fetch])]
  expect(outcomeOf(rules)).toMatchObject({ matched: ['a', 'c'], effects: [fetch] })
})
