/** house.json: which rooms there are, what they may use, and how large things may become. */

export interface Plan {
  /** From the ground up. */
  floors: { name: string; rooms: string[] }[]
  /** Rooms, or single files of rooms ("server/client.ts"), which then are doors of their own. */
  only?: Record<string, string[]>
  /** Beside those: rooms of which only types may be known. */
  types?: Record<string, string[]>
  packages?: Record<string, string[]>
  /** The folders of a room, from the ground up: each may import from those named before it. */
  within?: Record<string, string[]>
  /** Folders beside src, and what of the house they may use: rooms, types of rooms, packages. */
  beside?: Record<string, { rooms: string[]; types: string[]; packages: string[] }>
  /** Ports that may have more methods than others, each with the reason. */
  wide?: Record<string, string>
}

/** The floor that a room stands on, counted from the ground; undefined if the plan does not know the room. */
export function floorOf(plan: Plan, room: string): number | undefined {
  const floor = plan.floors.findIndex(({ rooms }) => rooms.includes(room))
  return floor < 0 ? undefined : floor
}
