/**
 * Draws the house as SVG: floors one above the other, rooms as boxes, bricks as wide as they have lines, doors as
 * arrows that lead down and pass behind the rooms. The first, dark brick of a room is its index.ts, the way in; the
 * bricks of a folder stand together in a panel with its name. The same code gives the same picture to the byte: all is
 * sorted, numbers are rounded, and there is no date in it.
 */
import type { Brick } from './bricks.ts'
import { type Box, layOut } from './layout.ts'
import type { Plan } from './plan.ts'
import type { Panel } from './room-layout.ts'
import { MOST_LINES } from './sizes.ts'
import type { Door } from './walls.ts'

const INK = '#3d3a35'
const FADED = '#8b857a'
const WRONG = '#c8321f'
/** Of floors from the ground up: the band, and the doors that lead down from it. */
const FLOOR_COLOURS = [
  { band: '#e6e1d6', door: '#8d8068' },
  { band: '#eaf0f4', door: '#5482a5' },
  { band: '#eef3e8', door: '#6c9150' },
  { band: '#f8f0e2', door: '#c08537' },
  { band: '#f4eaf0', door: '#a0628a' },
  { band: '#ececf4', door: '#66689f' },
  { band: '#f3ece8', door: '#9b6a55' },
]
/** Upper bounds of lines; files should stay below 300. */
const BRICK_COLOURS = [
  { upTo: 150, fill: '#b6cda3', says: 'up to 150 lines' },
  { upTo: 300, fill: '#e3d093', says: 'up to 300' },
  { upTo: MOST_LINES, fill: '#e2a866', says: `up to ${MOST_LINES}` },
  { upTo: Number.POSITIVE_INFINITY, fill: '#cf6b55', says: 'more: split it' },
]
const PANEL = '#f3f0e8'
const WAY_IN = '#6f6a60'

export function draw(plan: Plan, bricks: Brick[], doors: Door[]): string {
  const { width, height, roof, floors, boxes } = layOut(plan, bricks)
  const lines = bricks.reduce((sum, brick) => sum + brick.lines, 0)
  const { allowed, broken } = drawDoors(boxes, doors)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, Helvetica, Arial, sans-serif">`,
    `<style>${styles(boxes)}</style>`,
    markers(),
    `<rect width="${width}" height="${height}" fill="#fffefb"/>`,
    `<path d="M${roof.left} ${roof.bottom}L${width / 2} ${roof.top}L${roof.right} ${roof.bottom}Z" fill="#b9715a" stroke="#9a5743" stroke-linejoin="round" stroke-width="6"/>`,
    `<text x="${width / 2}" y="${roof.bottom - 34}" class="title">Freshet</text>`,
    `<text x="${width / 2}" y="${roof.bottom - 14}" class="sum">${bricks.length} files, ${lines} lines, ${doors.length} doors</text>`,
    ...floors.map(
      ({ name, level, x, y, w, h }) =>
        `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${colourOf(level).band}" stroke="#cfc8ba"/>` +
        `<text x="${x + 14}" y="${y + 19}" class="floor">${xml(name)}</text>`,
    ),
    ...allowed,
    ...boxes.map(drawRoom),
    ...broken,
    drawLegend(roof.left + 20, height - 22),
    '</svg>',
  ].join('\n')}\n`
}

function colourOf(level: number): { band: string; door: string } {
  return FLOOR_COLOURS[level % FLOOR_COLOURS.length]!
}

/** In a browser, pointing at a room brings out the doors that lead from it and to it. */
function styles(boxes: Box[]): string {
  const emphasis = boxes.map(
    ({ room }) => `svg:has(#room-${id(room)}:hover) :is(.from-${id(room)}, .to-${id(room)}) { opacity: 1 }`,
  )
  return [
    '.title { font-size: 26px; font-weight: 700; fill: #fff; text-anchor: middle }',
    '.sum { font-size: 12px; fill: #fbe9e2; text-anchor: middle }',
    `.floor { font-size: 12px; fill: ${FADED} }`,
    `.room { font-size: 14px; font-weight: 600; fill: ${INK} }`,
    `.lines { font-size: 11px; font-weight: 400; fill: ${FADED} }`,
    `.folder { font-size: 11px; fill: ${INK} }`,
    '.door { fill: none; opacity: 0.45 }',
    '.door:hover { opacity: 1 }',
    ...emphasis,
  ].join('\n')
}

function markers(): string {
  const arrow = (name: string, colour: string): string =>
    `<marker id="${name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5Z" fill="${colour}"/></marker>`
  const arrows = FLOOR_COLOURS.map(({ door }, level) => arrow(`down-${level}`, door))
  return `<defs>${[...arrows, arrow('wrong', WRONG)].join('')}</defs>`
}

function drawRoom({ room, x, y, w, h, lines, bricks, panels }: Box): string {
  return [
    `<g id="room-${id(room)}"><title>${xml(room)}: ${bricks.length} files, ${lines} lines</title>`,
    `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="5" fill="#fff" stroke="#a39b8c"/>`,
    `<text x="${n(x + 10)}" y="${n(y + 19)}" class="room">${xml(room)} <tspan class="lines">${lines}</tspan></text>`,
    ...panels.map((panel) => drawPanel(room, panel)),
    ...bricks.map(
      ({ brick, x, y, w, h }) =>
        `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="1" fill="${brickColour(brick)}"><title>${xml(brick.path)}: ${brick.lines} lines</title></rect>`,
    ),
    '</g>',
  ].join('\n')
}

function drawPanel(room: string, { folder, files, lines, x, y, w, h }: Panel): string {
  return (
    `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="3" fill="${PANEL}"><title>${xml(`${room}/${folder}: ${files} files, ${lines} lines`)}</title></rect>` +
    `<text x="${n(x + 5)}" y="${n(y + 12.5)}" class="folder">${xml(folder)}</text>`
  )
}

function brickColour({ path, room, lines }: Brick): string {
  if (path === `${room}/index.ts`) return WAY_IN
  return BRICK_COLOURS.find(({ upTo }) => lines <= upTo)!.fill
}

/** Doors of the plan run behind the rooms, from foot to head; those that break a wall are laid over everything, in red. */
function drawDoors(boxes: Box[], doors: Door[]): { allowed: string[]; broken: string[] } {
  const boxOf = new Map(boxes.map((box) => [box.room, box]))
  const middle = (room: string): number => boxOf.get(room)!.x + boxOf.get(room)!.w / 2
  const known = doors.filter(({ from, to }) => boxOf.has(from) && boxOf.has(to))
  const allowed = known
    .filter(({ wrong }) => !wrong)
    .map((door) => {
      const from = boxOf.get(door.from)!
      const to = boxOf.get(door.to)!
      const out = known.filter((other) => !other.wrong && other.from === door.from)
      const into = known.filter((other) => !other.wrong && other.to === door.to)
      const x1 = along(from, out.sort((a, b) => middle(a.to) - middle(b.to)).indexOf(door), out.length)
      const x2 = along(to, into.sort((a, b) => middle(a.from) - middle(b.from)).indexOf(door), into.length)
      const y1 = from.y + from.h
      const bend = (to.y - y1) / 2
      const path = `M${n(x1)} ${n(y1)}C${n(x1)} ${n(y1 + bend)} ${n(x2)} ${n(to.y - bend)} ${n(x2)} ${n(to.y - 1)}`
      const level = from.level % FLOOR_COLOURS.length
      return drawDoor(door, path, colourOf(from.level).door, `down-${level}`)
    })
  const broken = known
    .filter(({ wrong }) => wrong)
    .map((door) => {
      const [from, to] = [boxOf.get(door.from)!, boxOf.get(door.to)!]
      const path = `M${n(middle(door.from))} ${n(from.y + 12)}L${n(middle(door.to))} ${n(to.y + 12)}`
      return drawDoor(door, path, WRONG, 'wrong')
    })
  return { allowed, broken }
}

function drawDoor({ from, to, imports }: Door, path: string, colour: string, marker: string): string {
  const width = n(Math.min(4, 0.8 + Math.log2(imports) / 2))
  const says = `${from} uses ${to}: ${imports} ${imports === 1 ? 'import' : 'imports'}`
  return `<path d="${path}" class="door from-${id(from)} to-${id(to)}" stroke="${colour}" stroke-width="${width}" marker-end="url(#${marker})"><title>${xml(says)}</title></path>`
}

/** Spreads the ends of `count` doors over the middle of a box's edge. */
function along({ x, w }: Box, index: number, count: number): number {
  return x + (w * (index + 1)) / (count + 1)
}

function drawLegend(x: number, y: number): string {
  const entries = [{ fill: WAY_IN, says: 'index.ts, the way in' }, ...BRICK_COLOURS]
  const bricks = entries.map(({ fill, says }, index) => {
    const left = x + index * 150
    return `<rect x="${left}" y="${y - 9}" width="26" height="10" rx="1" fill="${fill}"/><text x="${left + 32}" y="${y}" class="lines">${xml(says)}</text>`
  })
  const doors = `<text x="${x + entries.length * 150}" y="${y}" class="lines">arrows: who uses whom, thicker for more imports; red ones break a wall</text>`
  return [...bricks, doors].join('')
}

function n(value: number): string {
  return String(Number(value.toFixed(1)))
}

function id(room: string): string {
  return room.replace(/[^a-z0-9]/gi, '-')
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
