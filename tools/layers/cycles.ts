/**
 * Cycles in a graph. Nodes that can reach each other are reported once, as a shortest cycle through the first of them and the number of
 * others. When that cycle is removed, the next one appears.
 */

export interface Edge {
  from: string
  to: string
}

export interface Cycle {
  members: string[]
  /** Starts and ends with the same member. */
  shortest: string[]
}

export function findCycles(edges: Edge[]): Cycle[] {
  const edgesFrom = Map.groupBy(edges, ({ from }) => from)
  const next = (name: string): string[] => (edgesFrom.get(name) ?? []).map(({ to }) => to)
  const reachable = new Map([...edgesFrom.keys()].sort().map((name) => [name, reachableFrom(name, next)]))
  const reported = new Set<string>()
  return [...reachable].flatMap(([name, previous]) => {
    if (reported.has(name) || !previous.has(name)) return []
    const members = [...previous.keys()].filter((other) => reachable.get(other)?.has(name)).sort()
    for (const member of members) reported.add(member)
    return [{ members, shortest: [name, ...pathTo(name, previous)] }]
  })
}

/** All nodes that can be reached, nearest first, each with the one before it. */
function reachableFrom(start: string, next: (name: string) => string[]): Map<string, string> {
  const previous = new Map<string, string>()
  const open = [start]
  for (const name of open) {
    for (const to of next(name)) {
      if (previous.has(to)) continue
      previous.set(to, name)
      open.push(to)
    }
  }
  return previous
}

/** The steps that lead back to the start. */
function pathTo(start: string, previous: Map<string, string>): string[] {
  const steps = [start]
  for (let at = previous.get(start)!; at !== start; at = previous.get(at)!) steps.unshift(at)
  return steps
}
