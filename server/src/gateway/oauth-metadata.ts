// What OAuth clients read to find their way: RFC 8414.
import type { Socket } from 'node:net';
import { scopes } from '@sibyl/contract';

/** The name of this authorization server, which is also its address. */
export function issuerOf(
  publicUrl: string | null,
  { localPort }: Pick<Socket, 'localPort'>,
): string {
  return publicUrl ?? `http://localhost:${localPort ?? 8080}`;
}

export function authorizationServer(issuer: string): object {
  const authMethods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/connect/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: Object.keys(scopes),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['en', 'de', 'es', 'zh'],
    service_documentation: `${issuer}/docs/`,
  };
}
