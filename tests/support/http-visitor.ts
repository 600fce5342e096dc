/** An HTTP client that keeps cookies: a browser, or an API client. */
import type { AnyEndpoint, InputOf, ReplyOf } from '#contract/endpoint.ts';

export interface Answer<Body> {
  status: number;
  /** The response body; an error has a code and a message. */
  body: Body & { code?: string; msg?: string };
  headers: Headers;
}

export interface VisitorOptions {
  isBrowser?: boolean;
  /** Where the visitor comes from, as a trusted proxy reports it. */
  address?: string | null;
}

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #isBrowser: boolean;
  readonly #address: string | null;

  constructor(origin: string, { isBrowser = false, address = null }: VisitorOptions = {}) {
    this.#origin = origin;
    this.#isBrowser = isBrowser;
    this.#address = address;
  }

  /** Calls an endpoint through the contract, like the web app. */
  async call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<ReplyOf<E>>> {
    return this.send(endpoint, input);
  }

  /** Calls an endpoint with any body, valid or not. */
  async send<E extends AnyEndpoint>(endpoint: E, body: unknown, headers: Record<string, string> = {}) {
    const rest = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
    const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    if (endpoint.method === 'GET') {
      const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
      return this.request<ReplyOf<E>>(`${path}?${query}`, { headers });
    }
    return this.request<ReplyOf<E>>(path, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async request<Body>(path: string, init: RequestInit = {}): Promise<Answer<Body>> {
    const reply = await this.fetch(path, init);
    const text = await reply.text();
    // One endpoint answers with bare text.
    const isBare = reply.headers.get('content-type')?.startsWith('text/plain');
    return { status: reply.status, body: isBare ? text : text ? JSON.parse(text) : {}, headers: reply.headers };
  }

  /** The raw response, without following redirects. Keeps cookies. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    if (this.#isBrowser) headers.set('sec-fetch-site', 'same-origin');
    if (this.#address !== null) headers.set('x-forwarded-for', this.#address);

    const reply = await fetch(new URL(path, this.#origin), { redirect: 'manual', ...init, headers });
    for (const cookie of reply.headers.getSetCookie()) this.#keep(cookie);
    return reply;
  }

  #keep(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(setCookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
