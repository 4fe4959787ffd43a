/** People, and the passes by which programs and browsers speak for them. */
import type { Instant, Pass, PassId, Person, PersonId } from '../model/index.ts'

/** `last-admin`: nothing was changed, for no other account may do everything. */
export type PersonChanged = 'done' | 'gone' | 'last-admin'

export interface People {
  /**
   * Whose things are those of who needs no account: the first account's that there is. Before there is one there is somebody without a
   * name, who is not among `people`, and who becomes the first account with all that is his.
   */
  firstPerson(): Promise<PersonId>
  /** In the order in which they were added. */
  people(): Promise<Person[]>
  /** With the hash of the password; whatever the case of the name. */
  personNamed(name: string): Promise<(Person & { password: string }) | undefined>
  /**
   * Undefined if somebody has that name. With the second account, the titles and folders that were the only user's leave the rows
   * of feeds, which all users share from then on; they stay with what the user follows.
   */
  addPerson(person: Omit<Person, 'id'> & { password: string }): Promise<PersonId | undefined>
  /** Whether an admin is left is looked at in the transaction that changes it. */
  changePerson(id: PersonId, change: Partial<Pick<Person, 'allows'> & { password: string }>): Promise<PersonChanged>
  /** With all passes and data of the user; where that is much, `sweepRemoved` does the rest, and nobody sees it meanwhile. */
  removePerson(id: PersonId): Promise<PersonChanged>
  addPass(pass: Omit<Pass, 'id'>, hash: Uint8Array): Promise<PassId>
  /** The pass with this hash, and whose it is, unless it has ended at `now`; it is noted as used then, to the minute. */
  passWith(hash: Uint8Array, now: Instant): Promise<{ pass: Pass; person: Person } | undefined>
  /** In the order in which they were added; without those that have ended at `now`. */
  passesOf(id: PersonId, now: Instant): Promise<Pass[]>
  /** That one, if it is the person's; or all of theirs, but one, as after a new password. Answers how many were removed. */
  removePasses(personId: PersonId, which: { id: PassId } | { except?: PassId | undefined }): Promise<number>
}
