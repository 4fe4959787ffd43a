/** Writes signatures to a content store after the fact, each under the day on which its entry was grouped. */
import { DAY, type Instant } from '../../model/index.ts'
import type { ContentStore, SignatureRecord } from '../../ports/index.ts'

export interface GroupedSignature extends SignatureRecord {
  groupedAt: Instant
}

export async function fileSignaturesByDay(
  contentStore: Pick<ContentStore, 'putSignatures'>,
  signatures: readonly GroupedSignature[],
): Promise<void> {
  for (const ofDay of Map.groupBy(signatures, ({ groupedAt }) => Math.floor(groupedAt / DAY)).values()) {
    const at = Math.max(...ofDay.map(({ groupedAt }) => groupedAt)) as Instant
    await contentStore.putSignatures(
      ofDay.map(({ groupedAt: _, ...signature }) => signature),
      at,
    )
  }
}
