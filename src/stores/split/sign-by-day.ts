/** Signatures that come late into a library: each is filed under the day on which its entry was placed. */
import { DAY, type Instant } from '../../model/index.ts'
import type { FiledSignature, Library } from '../../ports/index.ts'

export interface PlacedSignature extends FiledSignature {
  placedAt: Instant
}

export async function signByDay(library: Pick<Library, 'sign'>, signatures: readonly PlacedSignature[]): Promise<void> {
  for (const ofDay of Map.groupBy(signatures, ({ placedAt }) => Math.floor(placedAt / DAY)).values()) {
    const at = Math.max(...ofDay.map(({ placedAt }) => placedAt)) as Instant
    await library.sign(
      ofDay.map(({ placedAt: _, ...signature }) => signature),
      at,
    )
  }
}
