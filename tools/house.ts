/**
 * `npm run house`: checks that the code under src keeps to the plan in house.json, and draws it to docs/house.svg.
 * Ends with 1 if a wall was broken, after one line for each place. The drawing is a function of the code alone; it is
 * written when it differs from the one on disk, which is never a failure.
 *
 *   node tools/house.ts [folder that holds house.json and src; this repository unless told]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { besideComplaints } from './house/beside.ts'
import { readBricks } from './house/bricks.ts'
import { draw } from './house/drawing.ts'
import type { Plan } from './house/plan.ts'
import { readPorts } from './house/ports.ts'
import { judge } from './house/walls.ts'

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const plan: Plan = JSON.parse(readFileSync(join(root, 'house.json'), 'utf8'))
const bricks = readBricks(join(root, 'src'))
const { doors, complaints } = judge(plan, bricks, readPorts(join(root, 'src'), bricks))

redraw(join(root, 'docs'), draw(plan, bricks, doors))
complaints.push(...besideComplaints(root, plan))
for (const complaint of complaints) console.error(complaint)
const rooms = new Set(bricks.map(({ room }) => room)).size
console.log(`${bricks.length} files in ${rooms} rooms, ${doors.length} doors, ${complaints.length} complaints`)
process.exitCode = complaints.length > 0 ? 1 : 0

function redraw(folder: string, picture: string): void {
  const file = join(folder, 'house.svg')
  if (existsSync(file) && readFileSync(file, 'utf8') === picture) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, picture)
  console.log('docs/house.svg was drawn anew')
}
