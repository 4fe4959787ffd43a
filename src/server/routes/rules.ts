/** The user's rules: list, edit, try and apply. */
import { randomUUID } from 'node:crypto'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { OPERATIONS, type RuleInput, type RuleShape } from '../../api/index.ts'
import { findDestination, loadDestinations } from '../../destinations/index.ts'
import {
  applyToOld,
  compileRule,
  countPatterns,
  loadProgress,
  loadRules,
  MAX_PATTERNS,
  matchesThisWeek,
  previewMatches,
  saveRules,
} from '../../filtering/index.ts'
import { type EntryId, MAX_RULES, type Rule, type RuleScope, type UserId } from '../../model/index.ts'
import { entriesWithTitles, omitUndefined, visibleToUser } from '../../views/index.ts'
import { userIdOf } from '../authorize.ts'
import { createPerUserQueue } from '../per-user-queue.ts'
import { Problem } from '../problem.ts'
import type { ServerParts } from '../server-parts.ts'
import { validatedRoutes } from '../validation.ts'

export function ruleRoutes(parts: ServerParts): OpenAPIHono {
  const { clock } = parts
  const inTurn = createPerUserQueue()
  const app = validatedRoutes()

  async function shapesOf(userId: UserId, rules: readonly Rule[]): Promise<RuleShape[]> {
    const progress = await loadProgress(parts, userId)
    return rules.map((rule): RuleShape => {
      const matches = progress?.matches[rule.id]
      const { lastAt, lastEntryId } = matches ?? {}
      return {
        ...rule,
        matchedThisWeek: matches ? matchesThisWeek(matches, clock.now()) : 0,
        ...(lastAt !== undefined && { lastMatchedAt: new Date(lastAt).toISOString() }),
        ...(lastEntryId !== undefined && { lastEntryId }),
      }
    })
  }

  /** Rejects invalid queries, and more than a user may have. */
  async function save(userId: UserId, rules: Rule[], changed: readonly Rule[]): Promise<void> {
    if (rules.length > MAX_RULES) throw new Problem(409, `you have ${MAX_RULES} rules`, 'remove some first')
    const patterns = rules.reduce((sum, { query }) => sum + countPatterns(query), 0)
    if (patterns > MAX_PATTERNS)
      throw new Problem(409, `rules are limited to ${MAX_PATTERNS} regular expressions`, 'use words where possible')
    const visible = await visibleToUser(userId, parts)
    for (const rule of changed) {
      const result = await compileRule(rule, visible, { userId, now: clock.now() })
      if ('fault' in result) throw new Problem(400, `${rule.name}: ${result.fault}`, result.hint)
    }
    await assertDestinationsExist(userId, changed)
    await saveRules(parts, userId, rules)
  }

  async function assertDestinationsExist(userId: UserId, rules: readonly Rule[]): Promise<void> {
    const names = rules.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.kind === 'send' ? [action.destination] : [])),
    )
    if (names.length === 0) return
    const destinations = await loadDestinations(parts.userValues, userId)
    const unknown = names.find((name) => !findDestination(destinations, name))
    if (unknown !== undefined)
      throw new Problem(400, `there is no destination "${unknown}"`, 'see GET /api/v1/destinations')
  }

  async function findOwn(userId: UserId, id: string): Promise<{ rules: Rule[]; rule: Rule }> {
    const rules = await loadRules(parts, userId)
    const rule = rules.find((one) => one.id === id)
    if (!rule) throw new Problem(404, 'you have no such rule', 'see GET /api/v1/rules')
    return { rules, rule }
  }

  async function findEditable(userId: UserId, id: string): Promise<{ rules: Rule[]; rule: Rule }> {
    const found = await findOwn(userId, id)
    if (found.rule.fromFile)
      throw new Problem(409, `the rule "${found.rule.name}" is in freshet.toml`, 'change it there, then restart')
    return found
  }

  app.openapi(OPERATIONS.listRules, async (c) => {
    const userId = await userIdOf(c)
    return c.json({ rules: await shapesOf(userId, await loadRules(parts, userId)) }, 200)
  })

  app.openapi(OPERATIONS.addRule, async (c) => {
    const userId = await userIdOf(c)
    const rule = newRule(c.req.valid('json'))
    await inTurn(userId, async () => save(userId, [...(await loadRules(parts, userId)), rule], [rule]))
    const [shape] = await shapesOf(userId, [rule])
    return c.json(shape!, 201)
  })

  app.openapi(OPERATIONS.replaceRules, async (c) => {
    const userId = await userIdOf(c)
    const inputs = c.req.valid('json').rules
    const rules = await inTurn(userId, async () => {
      const before = await loadRules(parts, userId)
      const ofFile = before.filter(({ fromFile }) => fromFile)
      const existing = new Set(before.filter(({ fromFile }) => !fromFile).map(({ id }) => id))
      const given = inputs.filter(({ id }) => !ofFile.some((rule) => rule.id === id))
      const changed = given.map(({ id, ...input }) => {
        const isKnown = id !== undefined && existing.delete(id)
        return { ...newRule(input), ...(isKnown && { id }) }
      })
      const all = [...ofFile, ...changed]
      await save(userId, all, changed)
      return all
    })
    return c.json({ rules: await shapesOf(userId, rules) }, 200)
  })

  app.openapi(OPERATIONS.editRule, async (c) => {
    const userId = await userIdOf(c)
    const { id } = c.req.valid('param')
    const { position, ...change } = c.req.valid('json')
    const changed = await inTurn(userId, async () => {
      const { rules, rule } = await findEditable(userId, id)
      const edited: Rule = { ...rule, ...(omitUndefined(change) as Partial<Rule>) }
      const others = rules.filter((one) => one.id !== id)
      const first = others.filter(({ fromFile }) => fromFile).length
      const at = Math.max(first, Math.min(position ?? rules.indexOf(rule), others.length))
      await save(userId, [...others.slice(0, at), edited, ...others.slice(at)], [edited])
      return edited
    })
    const [shape] = await shapesOf(userId, [changed])
    return c.json(shape!, 200)
  })

  app.openapi(OPERATIONS.removeRule, async (c) => {
    const userId = await userIdOf(c)
    const { id } = c.req.valid('param')
    await inTurn(userId, async () => {
      const { rules } = await findEditable(userId, id)
      const others = rules.filter((one) => one.id !== id)
      await saveRules(parts, userId, others)
    })
    return c.body(null, 204)
  })

  app.openapi(OPERATIONS.previewRule, async (c) => {
    const userId = await userIdOf(c)
    const visible = await visibleToUser(userId, parts)
    const { query, scope } = c.req.valid('json')
    const rule = newRule({ name: 'preview', query, actions: [], ...omitUndefined({ scope }) })
    const result = await previewMatches(rule, userId, visible)
    if ('fault' in result) throw new Problem(400, result.fault, result.hint)
    const { checked, matched, entries } = result
    return c.json({ checked, matched, entries: await entriesWithTitles(entries, visible, { reader: userId }) }, 200)
  })

  app.openapi(OPERATIONS.applyRule, async (c) => {
    const userId = await userIdOf(c)
    const { rule } = await findOwn(userId, c.req.valid('param').id)
    const { before } = c.req.valid('json')
    const visible = await visibleToUser(userId, parts)
    const result = await applyToOld(rule, userId, visible, before as EntryId | undefined)
    if ('fault' in result) throw new Problem(400, result.fault, result.hint)
    return c.json(result, 200)
  })
  return app
}

function newRule({ name, enabled = true, scope = { kind: 'all' }, query, actions }: RuleInput): Rule {
  return { id: randomUUID(), name, enabled, scope: scope as RuleScope, query, actions }
}
