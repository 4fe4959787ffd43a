/**
 * Where everything stands in the drawing. Rooms of a floor share one row; a room's width grows with the square root of
 * its lines, so that small rooms stay readable beside large ones, and its height follows from what stands in it.
 */
import type { Brick } from './bricks.ts'
import { floorOf, type Plan } from './plan.ts'
import { type LaidBrick, layRoom, type Panel } from './room-layout.ts'

export interface Layout {
  width: number
  height: number
  roof: { left: number; right: number; top: number; bottom: number }
  /** From the top down. */
  floors: { name: string; level: number; x: number; y: number; w: number; h: number }[]
  boxes: Box[]
}

export interface Box {
  room: string
  level: number
  lines: number
  x: number
  y: number
  w: number
  h: number
  bricks: LaidBrick[]
  panels: Panel[]
}

const WIDTH = 1280
const WALL = 44
const ROOF = { top: 20, bottom: 132 }
const FLOOR_HEAD = 46
const FLOOR_FOOT = 26
const BETWEEN_ROOMS = 14
const ROOM_HEAD = 28
const ROOM_EDGE = 10
const NARROWEST_ROOM = 128

export function layOut(plan: Plan, bricks: Brick[]): Layout {
  const floors: Layout['floors'] = []
  const boxes: Box[] = []
  const attic = { name: 'not in the plan', rooms: strangers(plan, bricks) }
  let y = ROOF.bottom + 4
  for (const [level, { name, rooms }] of [...[...plan.floors, attic].entries()].reverse()) {
    const here = rooms.filter((room) => bricks.some((brick) => brick.room === room))
    if (here.length === 0) continue
    const row = layRow(here, level, y + FLOOR_HEAD, bricks, plan)
    const h = FLOOR_HEAD + Math.max(...row.map((box) => box.h)) + FLOOR_FOOT
    floors.push({ name, level, x: WALL, y, w: WIDTH - 2 * WALL, h })
    boxes.push(...row)
    y += h
  }
  const roof = { left: WALL - 24, right: WIDTH - WALL + 24, ...ROOF }
  return { width: WIDTH, height: y + 56, roof, floors, boxes }
}

function strangers(plan: Plan, bricks: Brick[]): string[] {
  const rooms = new Set(bricks.map(({ room }) => room))
  return [...rooms].filter((room) => floorOf(plan, room) === undefined)
}

function layRow(rooms: string[], level: number, y: number, bricks: Brick[], { within = {} }: Plan): Box[] {
  const inner = WIDTH - 2 * WALL - 2 * BETWEEN_ROOMS - (rooms.length - 1) * BETWEEN_ROOMS
  const drafts = rooms.map((room) => {
    const own = bricks.filter((brick) => brick.room === room)
    const lines = own.reduce((sum, brick) => sum + brick.lines, 0)
    return { room, own, lines, wish: Math.sqrt(lines) * 9 }
  })
  const spare = Math.max(0, inner - rooms.length * NARROWEST_ROOM)
  const extra = drafts.map(({ wish }) => Math.max(0, wish - NARROWEST_ROOM))
  const share = Math.min(1, spare / Math.max(1, sum(extra)))
  const widths = extra.map((more) => NARROWEST_ROOM + more * share)
  let x = WALL + BETWEEN_ROOMS + (inner - sum(widths)) / 2
  return drafts.map(({ room, own, lines }, index) => {
    const w = widths[index]!
    const inside = layRoom(room, own, within[room] ?? [], x + ROOM_EDGE, y + ROOM_HEAD, w - 2 * ROOM_EDGE)
    const { bricks, panels, height } = inside
    const box = { room, level, lines, x, y, w, h: ROOM_HEAD + height + ROOM_EDGE, bricks, panels }
    x += w + BETWEEN_ROOMS
    return box
  })
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
