/** Sets what is there, so that no field is present and undefined. */
export function assignPresent<T extends object>(target: T, values: { [K in keyof T]?: T[K] | undefined }): void {
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) target[name] = value as T[typeof name]
  }
}
