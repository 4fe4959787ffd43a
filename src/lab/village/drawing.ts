/**
 * Draws the pictures of the village: invented landscapes, the same for the same name. A PNG file with a palette: sky, sun, and flat layers
 * in front of each other, so a picture has a few kilobytes.
 */
import { crc32, deflateSync } from 'node:zlib'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

type Color = readonly [red: number, green: number, blue: number]

/** Shades of the sky, from above to the horizon; the colors of layers follow in the palette. */
const SHADES = 48

interface Scene {
  palette: Color[]
  /** Index in the palette; coordinates from 0 to 1, from the upper left. */
  colorAt(x: number, y: number): number
}

/** A landscape as PNG. */
export function drawLandscape(name: string, width: number, height: number): Uint8Array {
  const chance = seededRandom('landscape', name)
  return encode(chance.pick(SCENES)(chance), width, height)
}

/** The icon of a site as PNG: a disc over a horizon. */
export function drawIcon(name: string, size = 32): Uint8Array {
  const chance = seededRandom('icon', name)
  const hue = chance.below(360)
  const [discX, discY] = [0.35 + 0.3 * chance.next(), 0.35 + 0.15 * chance.next()]
  const horizon = 0.6 + 0.2 * chance.next()
  const palette = [hsl(hue, 45, 36), hsl(hue + 40, 80, 78), hsl(hue, 45, 24)]
  const colorAt = (x: number, y: number) => (y > horizon ? 2 : Math.hypot(x - discX, y - discY) < 0.24 ? 1 : 0)
  return encode({ palette, colorAt }, size, size)
}

const SCENES: readonly ((chance: SeededRandom) => Scene)[] = [hills, sea, town, hills, discs]

function hills(chance: SeededRandom): Scene {
  const hue = 80 + chance.below(150)
  const sky = skyOf(chance)
  const sun = sunOf(chance)
  const layers = Array.from({ length: 4 }, (_, i) => ridge(chance, 0.42 + 0.14 * i, 0.09 - 0.012 * i))
  const palette = [...sky, SUN, ...layers.map((_, i) => hsl(hue - 8 * i, 26 + 6 * i, 62 - 13 * i))]
  return {
    palette,
    colorAt(x, y) {
      const front = layers.findLastIndex((heightAt) => y > heightAt(x))
      if (front >= 0) return SHADES + 1 + front
      return sun(x, y) ? SHADES : shadeAt(y)
    },
  }
}

function sea(chance: SeededRandom): Scene {
  const sky = skyOf(chance)
  const sun = sunOf(chance)
  const horizon = 0.5 + 0.1 * chance.next()
  const coast = ridge(chance, horizon - 0.02, 0.05)
  const hue = 185 + chance.below(40)
  const water = Array.from({ length: 12 }, (_, i) => hsl(hue, 42, 62 - 3 * i))
  const sunX = sun.x
  return {
    palette: [...sky, SUN, hsl(hue, 20, 45), ...water],
    colorAt(x, y) {
      if (y < horizon) return y > coast(x) ? SHADES + 1 : sun(x, y) ? SHADES : shadeAt(y)
      const depth = (y - horizon) / (1 - horizon)
      const wave = Math.sin(x * (60 - 40 * depth) + depth * 90) * 0.03 + depth
      const glitters = Math.abs(x - sunX) < 0.03 + 0.06 * depth && Math.sin(depth * 120 + x * 30) > 0.3
      if (glitters) return SHADES
      return SHADES + 2 + Math.max(0, Math.min(11, Math.floor(wave * 12)))
    },
  }
}

function town(chance: SeededRandom): Scene {
  const hue = 205 + chance.below(60)
  const sky = skyOf(chance)
  const sun = sunOf(chance)
  const rows = [0, 1, 2].map((i) => {
    const houses = 9 + chance.below(6)
    const heights = Array.from({ length: houses }, () => 0.4 + 0.15 * i + 0.16 * chance.next())
    const isPointed = heights.map(() => chance.happens(0.4))
    return (x: number) => {
      const house = Math.min(houses - 1, Math.floor(x * houses))
      const across = x * houses - house
      return heights[house]! + (isPointed[house] ? Math.abs(across - 0.5) * 0.12 - 0.06 : 0)
    }
  })
  const lit = chance.below(1000)
  return {
    palette: [...sky, SUN, hsl(hue, 22, 58), hsl(hue, 26, 42), hsl(hue, 30, 26), hsl(44, 90, 72)],
    colorAt(x, y) {
      const front = rows.findLastIndex((heightAt) => y > heightAt(x))
      if (front < 0) return sun(x, y) ? SHADES : shadeAt(y)
      const [column, floor] = [Math.floor(x * 70), Math.floor(y * 44)]
      const isWindow = x * 70 - column > 0.35 && y * 44 - floor > 0.4 && (column * 31 + floor * 17 + lit) % 11 < 2
      return isWindow && y > rows[front]!(x) + 0.03 ? SHADES + 4 : SHADES + 1 + front
    },
  }
}

function discs(chance: SeededRandom): Scene {
  const hue = chance.below(360)
  const shapes = Array.from({ length: 5 }, (_, i) => ({ x: chance.next(), y: chance.next(), radius: 0.42 - 0.06 * i }))
  return {
    palette: [hsl(hue, 30, 88), ...shapes.map((_, i) => hsl(hue + 28 * i, 48, 70 - 8 * i))],
    colorAt: (x, y) => 1 + shapes.findLastIndex((disc) => Math.hypot((x - disc.x) * 1.5, y - disc.y) < disc.radius),
  }
}

const SUN = hsl(46, 95, 84)

/** Daylight, morning or evening. */
function skyOf(chance: SeededRandom): Color[] {
  const [above, below] = chance.pick([
    [hsl(208, 55, 58), hsl(200, 60, 88)],
    [hsl(225, 40, 48), hsl(24, 80, 80)],
    [hsl(265, 35, 42), hsl(340, 65, 78)],
    [hsl(195, 45, 66), hsl(48, 70, 88)],
  ])
  return Array.from({ length: SHADES }, (_, i) => mix(above!, below!, i / (SHADES - 1)))
}

const shadeAt = (y: number) => Math.max(0, Math.min(SHADES - 1, Math.floor(y * 1.4 * SHADES)))

function sunOf(chance: SeededRandom) {
  const [x, y, radius] = [0.15 + 0.7 * chance.next(), 0.14 + 0.2 * chance.next(), 0.05 + 0.05 * chance.next()]
  return Object.assign((atX: number, atY: number) => Math.hypot((atX - x) * 1.5, atY - y) < radius, { x })
}

/** The height of a line of hills. */
function ridge(chance: SeededRandom, base: number, swing: number): (x: number) => number {
  const waves = [1, 2.3, 5.1].map((pace) => ({ pace: pace * (0.8 + 0.5 * chance.next()), phase: 7 * chance.next() }))
  let [lastX, height] = [-1, 0] // pictures are drawn column by column
  return (x) => {
    if (x !== lastX) {
      const swings = waves.map(({ pace, phase }, i) => Math.sin(6 * x * pace + phase) / (i * 1.4 + 1))
      height = base + swing * swings.reduce((sum, one) => sum + one, 0)
      lastX = x
    }
    return height
  }
}

function mix(a: Color, b: Color, share: number): Color {
  return [0, 1, 2].map((i) => Math.round(a[i]! + (b[i]! - a[i]!) * share)) as unknown as Color
}

function hsl(hue: number, saturation: number, lightness: number): Color {
  const [s, l] = [saturation / 100, lightness / 100]
  const channel = (n: number) => {
    const k = (n + (((hue % 360) + 360) % 360) / 30) % 12
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

/** PNG (RFC 2083) with a palette, and rows without a filter. */
function encode({ palette, colorAt }: Scene, width: number, height: number): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height)
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) rows[y * (width + 1) + 1 + x] = colorAt((x + 0.5) / width, (y + 0.5) / height)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8) // eight bits per pixel, with a palette
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flat()))]
  return Buffer.concat([signature, ...chunks, chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
