/** By which a folder and those below it are found, whatever their case: they begin with it. Null where there is no folder. */
export function folderKey(folder: string | null | undefined): string | null {
  return folder ? `${folder.toLowerCase()} / ` : null
}
