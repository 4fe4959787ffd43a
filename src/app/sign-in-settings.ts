/** The settings of the server for signing in beside passwords; undefined if there are none. */
import type { SignInSettings } from '../server/index.ts'
import type { Config } from './config.ts'

export function signInSettings(config: Config): SignInSettings | undefined {
  const { oidcIssuer: issuer, proxyUserHeader, proxyGroupsHeader, provisionUsers, groupRoles } = config
  const oidc = {
    issuer,
    clientId: config.oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    label: config.oidcLabel,
    groupsClaim: config.oidcGroupsClaim,
    linkBy: config.oidcLinkBy,
    isOnly: config.oidcOnly,
  }
  if (!issuer && !proxyUserHeader) return undefined
  return {
    ...(issuer && { oidc }),
    ...(proxyUserHeader && { proxyHeaders: { user: proxyUserHeader, groups: proxyGroupsHeader } }),
    provisionUsers,
    groupRoles,
  }
}
