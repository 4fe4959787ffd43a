/** Rules of freshet.toml: stored with those of one user, before them, and replaced at each start. */
import { randomUUID } from 'node:crypto'
import { HintedError, MAX_RULES, type Rule, type UserId } from '../model/index.ts'
import { loadRules, type StoredRulesParts, saveRules } from './stored-rules.ts'

export type ListedRule = Omit<Rule, 'id' | 'fromFile'>

/** Rules of the same name keep their id, and so their counts. Those of an earlier file are removed, also of other users. */
export async function applyListedRules(
  parts: StoredRulesParts,
  userId: UserId,
  listed: readonly ListedRule[],
): Promise<void> {
  const users = new Set<UserId>([userId])
  for await (const { userId: owner, value } of parts.userValues.everyUserValue('rule'))
    if ((value as { rule: Rule }).rule.fromFile) users.add(owner)
  for (const owner of users) {
    const before = await loadRules(parts, owner)
    const idOf = new Map(before.filter(({ fromFile }) => fromFile).map(({ name, id }) => [name.toLowerCase(), id]))
    const ofFile = (owner === userId ? listed : []).map(
      (rule): Rule => ({ id: idOf.get(rule.name.toLowerCase()) ?? randomUUID(), ...rule, fromFile: true }),
    )
    const own = before.filter(({ fromFile }) => !fromFile)
    if (ofFile.length + own.length > MAX_RULES)
      throw new HintedError(`freshet.toml and the user have more than ${MAX_RULES} rules`, 'remove some of them')
    const after = [...ofFile, ...own]
    if (JSON.stringify(after) !== JSON.stringify(before)) await saveRules(parts, owner, after)
  }
}
