/** Lower-case prefix shared by a folder and its subfolders, for lookups. Null without a folder. */
export function folderKey(folder: string | null | undefined): string | null {
  return folder ? `${folder.toLowerCase()} / ` : null
}
