import { describe, expect, test } from 'vitest'
import { type GroupRole, groupsInClaim, groupsInHeader, roleOfGroups } from './group-roles.ts'

const ROLES: GroupRole[] = [
  { group: 'family', scope: 'write' },
  { group: 'freshet-admins', scope: 'admin' },
  { group: 'guests', scope: 'read' },
]

describe('the role of a user', () => {
  test.each([
    [['freshet-admins'], ROLES, 'admin'],
    [['family', 'freshet-admins'], ROLES, 'admin'],
    [['freshet-admins', 'family'], ROLES, 'admin'],
    [['guests', 'family'], ROLES, 'write'],
    [['others'], ROLES, 'none'],
    [['Freshet-Admins'], ROLES, 'none'],
    [['*'], ROLES, 'none'],
    [[], ROLES, 'none'],
    [['others'], [...ROLES, { group: '*', scope: 'read' }], 'read'],
    [['family'], [...ROLES, { group: '*', scope: 'read' }], 'write'],
    [['freshet-admins'], [], 'unchanged'],
  ] as [string[], GroupRole[], string][])('in %j with %j is %s', (groups, roles, expected) => {
    expect(roleOfGroups(groups, roles)).toBe(expected)
  })
})

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a', ['a']],
  [['a', 7, null, { name: 'b' }], ['a']],
  [undefined, []],
  [{ a: true }, []],
])('groups in the claim %j are %j', (claim, expected) => {
  expect(groupsInClaim(claim)).toEqual(expected)
})

test.each([
  ['a, b', ['a', 'b']],
  ['a|b c|', ['a', 'b c']],
  ['', []],
  [undefined, []],
])('groups in the header %j are %j', (header, expected) => {
  expect(groupsInHeader(header)).toEqual(expected)
})
