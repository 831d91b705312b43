/** A response in the format of OAuth (RFC 6749, section 5), which differs from the service's own format. */
export interface OauthReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
}

export function oauthError(status: number, error: string, error_description: string): OauthReply {
  return { status, headers: {}, body: { error, error_description } };
}
