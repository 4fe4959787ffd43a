/** The settings of the server for signing in beside passwords; undefined if there are none. */
import type { SignInSettings } from '../server/index.ts'
import type { Config } from './config.ts'

export function signInSettings(config: Config): SignInSettings | undefined {
  const { oidcIssuer, proxyUserHeader, proxyGroupsHeader, provisionUsers, groupRoles } = config
  if (!oidcIssuer && !proxyUserHeader) return undefined
  return {
    ...(oidcIssuer && {
      oidc: {
        issuer: oidcIssuer,
        clientId: config.oidcClientId,
        clientSecret: config.oidcClientSecret,
        scopes: config.oidcScopes,
        label: config.oidcLabel,
        groupsClaim: config.oidcGroupsClaim,
        linkBy: config.oidcLinkBy,
        isOnly: config.oidcOnly,
      },
    }),
    ...(proxyUserHeader && { proxyHeaders: { user: proxyUserHeader, groups: proxyGroupsHeader } }),
    provisionUsers,
    groupRoles,
  }
}
