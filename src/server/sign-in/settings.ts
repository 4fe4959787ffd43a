/** How users sign in beside passwords, as the operator has configured it. */
import type { GroupRole } from './group-roles.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  scopes: string
  /** The name of the provider on the button. */
  label: string
  /** The claim that lists the groups of a user. */
  groupsClaim: string
  /** Which claim may link an account that exists, by its name. */
  linkBy: 'none' | 'email' | 'username'
  /** Passwords and passkeys are turned off. */
  isOnly: boolean
}

export interface SignInSettings {
  oidc?: OidcSettings
  /** Headers in which a trusted proxy names the user whom it has signed in. */
  proxyHeaders?: { user: string; groups: string }
  /** Creates accounts for users whom the provider or the proxy has signed in. */
  provisionUsers: boolean
  groupRoles: readonly GroupRole[]
}

/** Whether users sign in elsewhere, so that a login is required even without accounts. */
export function signsInElsewhere(settings: SignInSettings | undefined): boolean {
  return settings?.oidc !== undefined || settings?.proxyHeaders !== undefined
}
