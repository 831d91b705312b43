import * as stateless from '@modelcontextprotocol/client';
import { type OAuthClientProvider, type OAuthDiscoveryState, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Browser } from '../support/browser.ts';
import { type Fields, type Reply, send } from '../support/http.ts';
import type { TestService } from '../support/service.ts';
import { Assistant, type ToolCaller } from './assistant.ts';
import { StatelessAssistant } from './stateless-assistant.ts';

/** Redirect URI of the assistant: a loopback address, which these tests never call. */
export const CALLBACK = 'http://127.0.0.1:33418/callback';

/** A remote assistant. It initially knows only the URL of the MCP endpoint, and uses the official client for OAuth. */
export class RemoteAssistant implements OAuthClientProvider {
  readonly #service: TestService;
  readonly clientMetadata;
  readonly redirectUrl: string;
  /** Address of the assistant's metadata document, if it uses one instead of a registration. */
  readonly clientMetadataUrl?: string;
  /** The state that the client stores. */
  kept: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier?: string;
    state?: string;
    discovery?: OAuthDiscoveryState;
  } = {};
  /** The authorization URL that the client opened last. */
  sentTo: URL | null = null;

  constructor(
    service: TestService,
    {
      name = 'Remote assistant',
      redirectUri = CALLBACK,
      method = 'none',
      documentUrl,
    }: { name?: string; redirectUri?: string; method?: string; documentUrl?: string } = {},
  ) {
    this.#service = service;
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl;
    this.redirectUrl = redirectUri;
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
    };
  }

  state = () => (this.kept.state = crypto.randomUUID());
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.kept.client = client);
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.sentTo = url);
  saveCodeVerifier = (verifier: string) => void (this.kept.verifier = verifier);
  codeVerifier = () => this.kept.verifier!;
  discoveryState = () => this.kept.discovery;
  saveDiscoveryState = (discovery: object) => void (this.kept.discovery = discovery as OAuthDiscoveryState);
  invalidateCredentials = (scope: string) => {
    if (scope === 'all' || scope === 'tokens') delete this.kept.tokens;
    if (scope === 'all' || scope === 'client') delete this.kept.client;
  };

  /** Sends requests for the public URL to the service under test. */
  #transport(): StreamableHTTPClientTransport {
    const { publicUrl } = this.#service.services;
    return new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
      authProvider: this,
      fetch: (url, init) => fetch(String(url).replace(publicUrl, this.#service.url), init),
    });
  }

  /** Returns the connected client, or null if the user must consent first. */
  async connect(): Promise<Assistant | null> {
    try {
      return await Assistant.connect(this.#transport());
    } catch (error) {
      if (error instanceof UnauthorizedError) return null;
      throw error;
    }
  }

  #statelessTransport(): stateless.StreamableHTTPClientTransport {
    const { publicUrl } = this.#service.services;
    return new stateless.StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
      authProvider: this as stateless.OAuthClientProvider,
      fetch: (url, init) => fetch(String(url).replace(publicUrl, this.#service.url), init),
    });
  }

  /** Connects as a user who consents, with the client of the stateless generation. */
  async connectStatelessAs(person: Browser, decision: Fields): Promise<ToolCaller> {
    const refused = await StatelessAssistant.connect(this.#statelessTransport()).catch((error: unknown) => error);
    if (!(refused instanceof stateless.UnauthorizedError)) throw new Error('The assistant did not ask for consent.');
    return this.finishStateless(await this.consented(person, decision));
  }

  /** Completes the authorization of the client of the stateless generation. */
  async finishStateless(redirectedTo: string): Promise<ToolCaller> {
    await this.#statelessTransport().finishAuth(new URL(redirectedTo).searchParams);
    return StatelessAssistant.connect(this.#statelessTransport());
  }

  /** Completes the authorization with the callback URL. */
  async finish(redirectedTo: string): Promise<Assistant> {
    const answer = new URL(redirectedTo).searchParams;
    if (answer.get('state') !== this.kept.state)
      throw new Error('The `state` of the callback differs from the `state` of the authorization request.');
    await this.#transport().finishAuth(answer.get('code')!);
    return Assistant.connect(this.#transport());
  }

  /** Connects as a user who consents. */
  async connectAs(person: Browser, decision: Fields): Promise<Assistant> {
    await this.connect();
    return this.finish(await this.consented(person, decision));
  }

  /** Lets the user consent. Returns the callback URL. */
  async consented(person: Browser, decision: Fields): Promise<string> {
    const { status, body } = await decide(person, await follow(this.#service, this.sentTo!), { accept: true, ...decision });
    if (status !== 200) throw new Error(`The consent was answered with status ${status}: ${JSON.stringify(body)}`);
    return body.redirect_to;
  }

  /** Sends a request to the token endpoint without the client library. */
  token(fields: Record<string, string>): Promise<Reply> {
    return postForm(this.#service, '/auth/oauth2/token', { client_id: this.kept.client!.client_id, ...fields });
  }

  /** Exchanges a code; `fields` override the valid parameters. */
  exchange(redirectedTo: string, fields: Record<string, string> = {}): Promise<Reply> {
    return this.token({
      grant_type: 'authorization_code',
      code: new URL(redirectedTo).searchParams.get('code')!,
      code_verifier: this.kept.verifier!,
      redirect_uri: this.redirectUrl,
      ...fields,
    });
  }

  refresh(refresh_token: string): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token });
  }
}

export function postForm(service: TestService, path: string, fields: Record<string, string>): Promise<Reply> {
  return send(`${service.url}${path}`, 'POST', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}

/** Follows an authorization URL and returns the redirect: a page of the service or the callback of the assistant. */
export async function follow(service: TestService, link: URL): Promise<URL> {
  const { status, headers } = await send(`${service.url}${link.pathname}${link.search}`, 'GET');
  if (status !== 302) throw new Error(`${link.pathname} answered ${status} instead of 302`);
  return new URL(headers.get('location')!, service.services.publicUrl);
}

/** Sends the decision of the consent page. */
export function decide(browser: Browser, page: URL, decision: Fields): Promise<Reply<{ redirect_to: string }>> {
  return browser.send('POST', '/auth/oauth2/consent', { body: { oauth_query: page.search.slice(1), ...decision } });
}
