/**
 * Where everything stands inside a room: bricks as wide as they have lines, first those that lie loose, led by the way in,
 * then a panel for each folder, in the order of the plan. Panels stand side by side on shelves, each about as wide as
 * its bricks ask for, and all of a shelf together fill it.
 */
import { type Brick, folderOf } from './bricks.ts'

export interface LaidBrick {
  brick: Brick
  x: number
  y: number
  w: number
  h: number
}

/** The bricks of one folder. */
export interface Panel {
  folder: string
  files: number
  lines: number
  x: number
  y: number
  w: number
  h: number
}

export interface RoomLayout {
  bricks: LaidBrick[]
  panels: Panel[]
  height: number
}

interface Draft {
  folder: string
  bricks: Brick[]
  w: number
}

const BRICK_HEIGHT = 12
const MORTAR = 2
const WIDTH_OF_A_LINE = 0.3
const NARROWEST_BRICK = 6
const PANEL_HEAD = 17
const PANEL_EDGE = 5
const BETWEEN_PANELS = 6
const WIDTH_OF_A_LETTER = 7 // about; a name has to fit above its bricks
const SLOPE = 2.5 // how many times as wide as high a panel's bricks would like to lie

export function layRoom(room: string, own: Brick[], folders: string[], left: number, top: number, width: number) {
  const isWayIn = ({ path }: Brick): number => Number(path === `${room}/index.ts`)
  const loose = own.filter(({ path }) => folderOf(path) === undefined).sort((a, b) => isWayIn(b) - isWayIn(a))
  const laid = layBricks(loose, left, top, width)
  const layout: RoomLayout = { bricks: laid.bricks, panels: [], height: laid.height }
  for (const shelf of shelvesOf(draftsOf(own, folders, width), width)) {
    const y = layout.height > 0 ? layout.height + BETWEEN_PANELS : 0
    const { bricks, panels, height } = layShelf(shelf, left, top + y, width)
    layout.bricks.push(...bricks)
    layout.panels.push(...panels)
    layout.height = y + height
  }
  return layout
}

/** Folders that the plan does not name come last. */
function draftsOf(own: Brick[], folders: string[], width: number): Draft[] {
  const all = Map.groupBy(own, ({ path }) => folderOf(path) ?? '')
  all.delete('')
  const place = (folder: string): number => (folders.includes(folder) ? folders.indexOf(folder) : folders.length)
  return [...all]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([folder, bricks]) => ({ folder, bricks, w: Math.min(width, widthOf(folder, bricks)) }))
}

function widthOf(folder: string, bricks: Brick[]): number {
  const widths = bricks.map(brickWidth)
  const area = widths.reduce((sum, width) => sum + width + MORTAR, 0) * (BRICK_HEIGHT + MORTAR)
  return 2 * PANEL_EDGE + Math.max(folder.length * WIDTH_OF_A_LETTER, Math.sqrt(area * SLOPE), ...widths)
}

function shelvesOf(drafts: Draft[], width: number): Draft[][] {
  const shelves: Draft[][] = []
  let free = 0
  for (const draft of drafts) {
    if (draft.w > free) {
      shelves.push([])
      free = width
    }
    shelves.at(-1)!.push(draft)
    free -= draft.w + BETWEEN_PANELS
  }
  return shelves
}

function layShelf(shelf: Draft[], left: number, top: number, width: number): RoomLayout {
  const wished = shelf.reduce((sum, { w }) => sum + w, 0)
  const stretch = (width - (shelf.length - 1) * BETWEEN_PANELS) / wished
  let x = left
  const laid = shelf.map(({ folder, bricks: own, w: wish }) => {
    const w = wish * stretch
    const { bricks, height } = layBricks(own, x + PANEL_EDGE, top + PANEL_HEAD, w - 2 * PANEL_EDGE)
    const lines = own.reduce((sum, brick) => sum + brick.lines, 0)
    const panel = { folder, files: own.length, lines, x, y: top, w, h: PANEL_HEAD + height + PANEL_EDGE }
    x += w + BETWEEN_PANELS
    return { bricks, panel }
  })
  const height = Math.max(...laid.map(({ panel }) => panel.h))
  const panels = laid.map(({ panel }) => ({ ...panel, h: height }))
  return { bricks: laid.flatMap(({ bricks }) => bricks), panels, height }
}

function layBricks(own: Brick[], left: number, top: number, width: number): { bricks: LaidBrick[]; height: number } {
  let x = 0
  let y = 0
  const bricks = own.map((brick): LaidBrick => {
    const w = Math.min(width, brickWidth(brick))
    if (x > 0 && x + w > width) {
      x = 0
      y += BRICK_HEIGHT + MORTAR
    }
    const laid = { brick, x: left + x, y: top + y, w, h: BRICK_HEIGHT }
    x += w + MORTAR
    return laid
  })
  return { bricks, height: own.length > 0 ? y + BRICK_HEIGHT : 0 }
}

function brickWidth({ lines }: Brick): number {
  return Math.max(NARROWEST_BRICK, lines * WIDTH_OF_A_LINE)
}
