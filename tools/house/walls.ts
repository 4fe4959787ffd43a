/**
 * Judges the house by its plan, house.json. Doors lead down: a room may use the rooms on the floors beneath it, and of
 * those only the ones that `only` lists, if it lists any. A room is entered by its index.ts and not through a window.
 * Contracts and fixtures (*.contract.ts, *.fixture.ts) are for tests, and tests are not judged here. An npm package
 * lives in the rooms that `packages` gives it to and nowhere else. Every complaint is one line that names the place.
 */
import { type Brick, type Import, isForTests } from './bricks.ts'

export interface Plan {
  /** From the ground up. */
  floors: { name: string; rooms: string[] }[]
  only?: Record<string, string[]>
  packages?: Record<string, string[]>
}

/** All imports from one room into another, together. */
export interface Door {
  from: string
  to: string
  imports: number
  /** The plan does not have this door. */
  wrong: boolean
}

export function judge(plan: Plan, bricks: Brick[]): { doors: Door[]; complaints: string[] } {
  const doors = findDoors(plan, bricks)
  const complaints = [
    ...strangeRooms(plan, bricks),
    ...bricks.flatMap((brick) =>
      brick.imports.flatMap((what) => {
        const why = complaint(plan, brick, what)
        return why ? [`src/${brick.path}:${what.line} ${why}`] : []
      }),
    ),
    ...cycles(doors).map((rooms) => `rooms that use each other in a circle: ${rooms.join(', ')}`),
  ]
  return { doors, complaints }
}

/** The floor that a room stands on, counted from the ground; undefined if the plan does not know the room. */
export function floorOf(plan: Plan, room: string): number | undefined {
  const floor = plan.floors.findIndex(({ rooms }) => rooms.includes(room))
  return floor < 0 ? undefined : floor
}

function strangeRooms(plan: Plan, bricks: Brick[]): string[] {
  const strange = new Set(bricks.map(({ room }) => room).filter((room) => floorOf(plan, room) === undefined))
  return [...strange].map((room) => `src/${room} is not a room of the plan: give it a floor in house.json`)
}

function complaint(plan: Plan, brick: Brick, what: Import): string | undefined {
  switch (what.kind) {
    case 'outside':
      return `imports ${what.specifier}, which lies outside of src`
    case 'package':
      return packageComplaint(plan, brick, what.name)
    case 'brick': {
      if (isForTests(what.path) && !isForTests(brick.path)) return `imports ${what.path}: it is for tests only`
      if (what.room === brick.room) return undefined
      const wall = wallBetween(plan, brick.room, what.room)
      if (wall) return `imports ${what.path}: ${wall}`
      if (what.path === `${what.room}/index.ts` || isForTests(what.path)) return undefined
      return `imports ${what.path} through the window: enter ${what.room} by its index.ts`
    }
  }
}

function packageComplaint(plan: Plan, brick: Brick, name: string): string | undefined {
  if (name === 'vitest' && isForTests(brick.path)) return undefined
  const rooms = plan.packages?.[name] ?? []
  if (rooms.includes(brick.room)) return undefined
  const given = rooms.length > 0 ? `it lives in ${rooms.join(', ')}` : 'house.json gives it to no room'
  return `imports the package ${name}, which is not given to ${brick.room}: ${given}`
}

function wallBetween(plan: Plan, from: string, to: string): string | undefined {
  const fromFloor = floorOf(plan, from)
  const toFloor = floorOf(plan, to)
  if (fromFloor === undefined || toFloor === undefined) return undefined // strangeRooms has said it
  if (toFloor > fromFloor) return `upward, ${to} stands on a floor above ${from}`
  if (toFloor === fromFloor) return `sideways, ${from} and ${to} share a floor`
  const only = plan.only?.[from]
  if (only && !only.includes(to)) return `${from} may use only ${only.join(', ')}`
  return undefined
}

function findDoors(plan: Plan, bricks: Brick[]): Door[] {
  const doors = new Map<string, Door>()
  for (const { room: from, imports } of bricks) {
    for (const what of imports) {
      if (what.kind !== 'brick' || what.room === from) continue
      const key = `${from} ${what.room}`
      const door = doors.get(key) ?? { from, to: what.room, imports: 0, wrong: !!wallBetween(plan, from, what.room) }
      doors.set(key, { ...door, imports: door.imports + 1 })
    }
  }
  return [...doors.values()]
}

/** Groups of rooms that can all reach each other. Rooms are few, so walking from each of them is good enough. */
function cycles(doors: Door[]): string[][] {
  const reach = new Map(
    [...new Set(doors.map(({ from }) => from))].sort().map((room) => [room, reachable(room, doors)]),
  )
  const groups = [...reach].map(([room, seen]) => [...seen].filter((other) => reach.get(other)?.has(room)).sort())
  const distinct = new Map(groups.filter((group) => group.length > 0).map((group) => [group.join(), group]))
  return [...distinct.values()]
}

function reachable(start: string, doors: Door[]): Set<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    for (const { from, to } of doors) {
      if (from !== room || seen.has(to)) continue
      seen.add(to)
      open.push(to)
    }
  }
  return seen
}
