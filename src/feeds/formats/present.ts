/** Sets what is there, so that no field is present and undefined. */
export function assignPresent<T extends object>(target: T, values: { [K in keyof T]?: T[K] | undefined }): void {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) Object.assign(target, { [name]: value })
}
