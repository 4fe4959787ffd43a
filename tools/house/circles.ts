/**
 * Who can be reached from himself. Whatever hangs together in circles is one knot, told once: by a shortest way round from
 * the first of its members, and by how many others there are. Untied there, the next circle shows.
 */

export interface Arrow {
  from: string
  to: string
}

export interface Knot {
  members: string[]
  /** Begins and ends with the same member. */
  round: string[]
}

export function knots(arrows: Arrow[]): Knot[] {
  const nextOf = Map.groupBy(arrows, ({ from }) => from)
  const next = (name: string): string[] => (nextOf.get(name) ?? []).map(({ to }) => to)
  const reach = new Map([...nextOf.keys()].sort().map((name) => [name, waysFrom(name, next)]))
  const told = new Set<string>()
  return [...reach].flatMap(([name, ways]) => {
    if (told.has(name) || !ways.has(name)) return []
    const members = [...ways.keys()].filter((other) => reach.get(other)?.has(name)).sort()
    for (const member of members) told.add(member)
    return [{ members, round: [name, ...wayTo(name, ways)] }]
  })
}

/** All that can be reached, nearest first, each with the one that it is reached from. */
function waysFrom(start: string, next: (name: string) => string[]): Map<string, string> {
  const ways = new Map<string, string>()
  const open = [start]
  for (const name of open) {
    for (const to of next(name)) {
      if (ways.has(to)) continue
      ways.set(to, name)
      open.push(to)
    }
  }
  return ways
}

/** The steps that lead back to where they began. */
function wayTo(start: string, ways: Map<string, string>): string[] {
  const steps = [start]
  for (let at = ways.get(start)!; at !== start; at = ways.get(at)!) steps.unshift(at)
  return steps
}
