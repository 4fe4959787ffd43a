/** Sets only defined values, so that no field is present but empty. */
export function set<T extends object, K extends keyof T>(target: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) target[name] = value as T[K]
}

export function setList<T extends object, K extends keyof T>(
  target: T,
  name: K,
  value: T[K] & readonly unknown[],
): void {
  if (value.length > 0) target[name] = value
}

export function assignPresent<T extends object>(target: T, values: { [K in keyof T]?: T[K] | undefined }): void {
  for (const name in values) set(target, name, values[name])
}
