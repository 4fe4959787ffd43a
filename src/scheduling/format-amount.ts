/** Formats a number of entries with few digits: 12, 0.5, 0.002. */
export function formatAmount(entries: number): string {
  return entries >= 10
    ? entries.toFixed(0)
    : entries >= 0.1 || entries === 0
      ? entries.toFixed(1)
      : entries.toPrecision(1)
}
