/**
 * Judges the house by its plan, house.json. Doors lead down: a room may use the rooms on the floors beneath it, and of
 * those only the ones that `only` lists, if it lists any, and the types of those in `types`. A room is entered by its
 * index.ts and not through a window, unless `only` makes a door of that one file.
 * Where `within` names a room's folders, they are floors in small; what lies loose in the room is everybody's.
 * Contracts and fixtures (*.contract.ts, *.fixture.ts) are for tests, and tests are not judged here. An npm package
 * lives in the rooms that `packages` gives it to and nowhere else. No files import each other in a circle, not even
 * types: who reads one of them has to read them all. Every complaint is one line that names the place.
 */
import { type Brick, folderOf, type Import, isForTests } from './bricks.ts'
import { knots } from './circles.ts'
import { namedTwice } from './names.ts'
import { floorOf, type Plan } from './plan.ts'
import type { Port } from './ports.ts'
import { tooLong, tooWide } from './sizes.ts'

type InsideImport = Extract<Import, { kind: 'brick' }>

/** All imports from one room into another, together. */
export interface Door {
  from: string
  to: string
  imports: number
  /** The plan does not have this door. */
  wrong: boolean
}

export function judge(plan: Plan, bricks: Brick[], ports: Port[]): { doors: Door[]; complaints: string[] } {
  const doors = findDoors(plan, bricks)
  const complaints = [
    ...strangeRooms(plan, bricks),
    ...strangeFolders(plan, bricks),
    ...bricks.flatMap((brick) =>
      brick.imports.flatMap((what) => {
        const why = complaint(plan, brick, what)
        return why ? [`src/${brick.path}:${what.line} ${why}`] : []
      }),
    ),
    ...knots(doors).map(({ members }) => `rooms that use each other in a circle: ${members.join(', ')}`),
    ...circlesOfFiles(bricks),
    ...namedTwice(bricks),
    ...tooLong(bricks),
    ...tooWide(plan, ports),
  ]
  return { doors, complaints }
}

function strangeRooms(plan: Plan, bricks: Brick[]): string[] {
  const strange = new Set(bricks.map(({ room }) => room).filter((room) => floorOf(plan, room) === undefined))
  return [...strange].map((room) => `src/${room} is not a room of the plan: give it a floor in house.json`)
}

function strangeFolders({ within = {} }: Plan, bricks: Brick[]): string[] {
  const strange = bricks.flatMap(({ path, room }) => {
    const folder = folderOf(path)
    return folder && within[room] && !within[room].includes(folder) ? [`${room}/${folder}`] : []
  })
  return [...new Set(strange)].map((folder) => `src/${folder} has no place in its room: give it one in house.json`)
}

function complaint(plan: Plan, brick: Brick, what: Import): string | undefined {
  switch (what.kind) {
    case 'outside':
      return `imports ${what.specifier}, which lies outside of src`
    case 'package':
      return packageComplaint(plan, brick, what.name)
    case 'brick': {
      if (isForTests(what.path) && !isForTests(brick.path)) return `imports ${what.path}: it is for tests only`
      if (what.room === brick.room) return stepUp(plan, brick, what.path)
      const wall = wallBetween(plan, brick.room, what)
      if (wall) return `imports ${what.path}: ${wall}`
      if (what.path === `${what.room}/index.ts` || isForTests(what.path)) return undefined
      if (plan.only?.[brick.room]?.includes(what.path)) return undefined
      return `imports ${what.path} through the window: enter ${what.room} by its index.ts`
    }
  }
}

function stepUp({ within = {} }: Plan, brick: Brick, to: string): string | undefined {
  const folders = within[brick.room] ?? []
  const [from, into] = [folderOf(brick.path) ?? '', folderOf(to) ?? '']
  const [fromFloor, intoFloor] = [folders.indexOf(from), folders.indexOf(into)]
  if (fromFloor < 0 || intoFloor <= fromFloor) return undefined // strangeFolders has said it, where one is missing
  return `imports ${to}: upward, ${into} comes after ${from} in ${brick.room}`
}

function packageComplaint(plan: Plan, brick: Brick, name: string): string | undefined {
  if (name === 'vitest' && isForTests(brick.path)) return undefined
  const rooms = plan.packages?.[name] ?? []
  if (rooms.includes(brick.room)) return undefined
  const given = rooms.length > 0 ? `it lives in ${rooms.join(', ')}` : 'house.json gives it to no room'
  return `imports the package ${name}, which is not given to ${brick.room}: ${given}`
}

function wallBetween(plan: Plan, from: string, { room: to, path, isType }: InsideImport): string | undefined {
  const fromFloor = floorOf(plan, from)
  const toFloor = floorOf(plan, to)
  if (fromFloor === undefined || toFloor === undefined) return undefined // strangeRooms has said it
  if (toFloor > fromFloor) return `upward, ${to} stands on a floor above ${from}`
  if (toFloor === fromFloor) return `sideways, ${from} and ${to} share a floor`
  const only = plan.only?.[from]
  if (!only || only.includes(to) || only.includes(path)) return undefined
  if (!plan.types?.[from]?.includes(to)) return `${from} may use only ${only.join(', ')}`
  return isType ? undefined : `${from} may know only types of ${to}`
}

function findDoors(plan: Plan, bricks: Brick[]): Door[] {
  const doors = new Map<string, Door>()
  for (const { room: from, imports } of bricks) {
    for (const what of imports) {
      if (what.kind !== 'brick' || what.room === from) continue
      const key = `${from} ${what.room}`
      const { imports: before, wrong } = doors.get(key) ?? { imports: 0, wrong: false }
      const isWrong = wrong || wallBetween(plan, from, what) !== undefined
      doors.set(key, { from, to: what.room, imports: before + 1, wrong: isWrong })
    }
  }
  return [...doors.values()]
}

function circlesOfFiles(bricks: Brick[]): string[] {
  const arrows = bricks.flatMap(({ path: from, imports }) =>
    imports.flatMap((what) => (what.kind === 'brick' ? [{ from, to: what.path }] : [])),
  )
  return knots(arrows).map(({ members, round }) => {
    const others = members.length - new Set(round).size
    const more = others > 0 ? ` (${others} more ${others === 1 ? 'file hangs' : 'files hang'} together with them)` : ''
    return `files that import each other in a circle: ${round.map((path) => `src/${path}`).join(' -> ')}${more}`
  })
}
