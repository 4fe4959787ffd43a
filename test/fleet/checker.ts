/**
 * Checks a fleet from outside, like Jepsen: compares what the village published and saw with what the store has. Whatever happened to the
 * processes, every entry is stored exactly once and no politeness rule was broken.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetHarness, siteNames, until } from './fleet-harness.ts'

export interface Verdict {
  /** Published, and not there; and there more than once. */
  missing: string[]
  double: string[]
  /** What the village minds. */
  faults: string[]
  entries: number
}

/** What was published up to then is waited for, as long as it takes and at most so long. */
export async function verdictOf(
  box: FleetHarness,
  sinceAt: number,
  upTo: number,
  patienceMs: number,
): Promise<Verdict> {
  const until = performance.now() + patienceMs
  for (;;) {
    const from = performance.now()
    const verdict = await looked(box, sinceAt, upTo).catch(() => undefined) // the store may be away
    if (verdict && (verdict.missing.length === 0 || performance.now() > until)) return verdict
    if (!verdict && performance.now() > until) throw new Error('the store could not be read')
    await sleep(Math.max(250, 3 * (performance.now() - from))) // who looks is not to be in the way
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

/** Resolves once every site has been visited by somebody who came from now on, and had its answer. */
export async function allVisited(box: FleetHarness, patienceMs: number): Promise<void> {
  const from = box.town.now()
  const unvisited = (): string[] => {
    const seen = new Set(
      box.town.visits.filter((visit) => visit.from >= from && visit.status > 0).map(({ site }) => site),
    )
    return siteNames().filter((site) => !seen.has(site))
  }
  await until(
    () => unvisited().length === 0,
    patienceMs,
    () => `nobody came to ${unvisited().join(', ')}`,
  )
}
