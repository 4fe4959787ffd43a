/**
 * Checks a fleet from outside, like Jepsen: compares what the village published and saw with what the store has. Whatever happened to the
 * processes, every entry is stored exactly once and no politeness rule was broken.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetHarness, siteNames, until } from './fleet-harness.ts'

export interface Verdict {
  /** Published but not stored; and stored more than once. */
  missing: string[]
  double: string[]
  /** Violations that the village saw. */
  faults: string[]
  entries: number
}

/** Waits until everything published until now is stored, up to a time limit. */
export async function verdictOf(box: FleetHarness, sinceAt: number, upTo: number, timeoutMs: number): Promise<Verdict> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const from = performance.now()
    const verdict = await looked(box, sinceAt, upTo).catch(() => undefined) // the store may be unavailable
    if (verdict && (verdict.missing.length === 0 || performance.now() > until)) return verdict
    if (!verdict && performance.now() > until) throw new Error('the store could not be read')
    await sleep(Math.max(250, 3 * (performance.now() - from))) // the checks must not slow the fleet down
  }
}

async function looked(box: FleetHarness, sinceAt: number, upTo: number): Promise<Verdict> {
  const found = await box.entries()
  const missing: string[] = []
  const double: string[] = []
  let entries = 0
  for (const site of siteNames()) {
    const keys = found.get(site) ?? []
    entries += keys.length
    const once = new Set(keys)
    if (once.size < keys.length) double.push(`${site}: ${keys.length - once.size} twice`)
    for (const { path } of box.town.village.site(site).published(sinceAt, upTo))
      if (!once.has(path)) missing.push(`${site}: ${path}`)
  }
  return { missing, double, faults: [...box.town.faults], entries }
}

/** Resolves once every site has been visited and answered by a process, counted from now. */
export async function allVisited(box: FleetHarness, timeoutMs: number): Promise<void> {
  const from = box.town.now()
  const unvisited = (): string[] => {
    const seen = new Set(
      box.town.visits.filter((visit) => visit.from >= from && visit.status > 0).map(({ site }) => site),
    )
    return siteNames().filter((site) => !seen.has(site))
  }
  await until(
    () => unvisited().length === 0,
    timeoutMs,
    () => `nobody came to ${unvisited().join(', ')}`,
  )
}
