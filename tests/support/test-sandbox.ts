/** Test fixture for the sandbox: its own database, a webhook receiver in place of the product, and the Stripe SDK. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import Stripe from 'stripe';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/start-sandbox.ts';
import { freePort } from './free-port.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const SECRET_KEY = 'sk_test_forTheTestsOfTheSandbox';
export const WEBHOOK_SECRET = 'whsec_forTheTestsOfTheSandbox';

/** As strict as the product's policy, which also applies to the hosted pages. */
const PRODUCT_CSP = "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'";

export interface ReceivedWebhook {
  payload: string;
  signature: string;
  at: number;
}

/** Response to a submitted form. */
export interface PageResponse {
  status: number;
  location: string | null;
  html: string;
}

export class TestSandbox {
  readonly received: ReceivedWebhook[] = [];
  /** Status code of the webhook receiver. */
  receiverStatus = 200;
  publicUrl = '';
  stripe: Stripe;
  sandbox: Sandbox;
  readonly pool: pg.Pool;
  readonly #database: TestDatabase;
  readonly #receiver: Server;
  readonly #options: Omit<SandboxOptions, 'publicUrl'>;
  #app: FastifyInstance | null = null;
  #offsetMs = 0;

  static async open(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
    const database = await createTestDatabase();
    const receiver = createServer();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const sandbox = new TestSandbox(database, receiver, options);
    await sandbox.start();
    return sandbox;
  }

  private constructor(database: TestDatabase, receiver: Server, options: Partial<SandboxOptions>) {
    this.#database = database;
    this.#receiver = receiver;
    this.pool = new pg.Pool({ connectionString: database.connectionString, max: 10 });
    this.pool.on('error', () => {});
    this.#options = {
      pool: this.pool,
      apiPort: 0,
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      webhookUrl: `http://127.0.0.1:${portOf(receiver.address())}/api/webhooks/stripe`,
      clock: {
        now: () => new Date(Date.now() + this.#offsetMs),
        advanceSeconds: async (seconds) => {
          this.#offsetMs += seconds * 1000;
        },
      },
      isConsoleOpen: false,
      recordFile: null,
      ...options,
    };
    receiver.on('request', (request, response) => {
      let payload = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        payload += chunk;
      });
      request.on('end', () => {
        this.received.push({
          payload,
          signature: String(request.headers['stripe-signature']),
          at: Date.now() + this.#offsetMs,
        });
        response.writeHead(this.receiverStatus).end();
      });
    });
    this.stripe = new Stripe(SECRET_KEY);
    this.sandbox = { apiPort: 0, pages: async () => {}, idle: async () => {}, close: async () => {} };
  }

  /** The sandbox needs the product's origin before it starts, and the product needs the sandbox's pages. */
  async start(): Promise<void> {
    const app = Fastify();
    await app.register(fastifyCookie);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', PRODUCT_CSP);
    });
    const pages = new Promise<Sandbox['pages']>((resolve) => {
      this.#resolvePages = resolve;
    });
    void app.register(async (scope, options) => (await pages)(scope, options));
    const port = await freePort();
    this.publicUrl = `http://127.0.0.1:${port}`;
    this.sandbox = await startSandbox({ ...this.#options, publicUrl: this.publicUrl });
    this.#resolvePages(this.sandbox.pages);
    await app.listen({ host: '127.0.0.1', port });
    this.#app = app;
    this.stripe = this.client(SECRET_KEY);
  }

  #resolvePages: (pages: Sandbox['pages']) => void = () => {};

  async stop(): Promise<void> {
    await this.#app?.close();
    await this.sandbox.close();
  }

  client(secretKey: string, maxNetworkRetries = 0): Stripe {
    return new Stripe(secretKey, {
      host: '127.0.0.1',
      port: this.sandbox.apiPort,
      protocol: 'http',
      telemetry: false,
      timeout: 60_000,
      maxNetworkRetries,
    });
  }

  api(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.sandbox.apiPort}${path}`, init);
  }

  async control(path: string, body: object): Promise<unknown> {
    const response = await this.api(`/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  }

  openSession(
    lines: { name: string; cents: number; quantity: number }[] = [{ name: 'Door', cents: 25_00, quantity: 2 }],
  ) {
    return this.stripe.checkout.sessions.create({
      mode: 'payment',
      client_reference_id: 'order-1',
      line_items: lines.map(({ name, cents, quantity }) => ({
        quantity,
        price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
      })),
      success_url: `${this.publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${this.publicUrl}/payment/e1`,
      metadata: { order_id: 'order-1' },
      payment_intent_data: { description: 'Night', transfer_group: 'event_e1', metadata: { order_id: 'order-1' } },
    });
  }

  /** Opens the page and submits its form, as a browser without JavaScript does. */
  async submit(url: string, values: Record<string, string>): Promise<PageResponse> {
    const page = await (await fetch(url)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? url;
    return await this.post(new URL(action, url).href, { csrf, ...values });
  }

  async post(url: string, fields: Record<string, string>): Promise<PageResponse> {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location'), html: await response.text() };
  }

  pay(url: string, number = '4242 4242 4242 4242', more: Record<string, string> = {}): Promise<PageResponse> {
    return this.submit(url, { ...card(number), ...more });
  }

  /** An account that has completed onboarding. */
  async onboardedAccount() {
    const account = await this.openAccount();
    const link = await this.accountLink(account.id);
    await this.submit(link.url, { outcome: 'complete' });
    return account;
  }

  openAccount() {
    return this.stripe.v2.core.accounts.create({
      contact_email: 'org@example.com',
      display_name: 'Night Owls',
      dashboard: 'express',
      identity: { country: 'us', entity_type: 'company' },
      defaults: {
        currency: 'usd',
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
      configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
      metadata: { organization_id: 'o1' },
      include: ['configuration.recipient', 'requirements', 'defaults', 'identity'],
    });
  }

  accountLink(account: string) {
    return this.stripe.v2.core.accountLinks.create({
      account,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: `${this.publicUrl}/refresh`, return_url: `${this.publicUrl}/return` },
      },
    });
  }

  /** Types of the received events, after verifying their signatures. */
  eventTypes(): string[] {
    return this.received.map((received) => this.verified(received).type);
  }

  /** Verifies the signature, or throws. */
  verified({ payload, signature, at }: ReceivedWebhook): Stripe.Event {
    return this.stripe.webhooks.constructEvent(payload, signature, WEBHOOK_SECRET, 300, undefined, at);
  }

  async untilBlocked(count: number): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt += 1) {
      const { rows } = await this.pool.query<{ blocked: number }>(
        `select count(*)::int as blocked from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if ((rows[0]?.blocked ?? 0) >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`fewer than ${count} statements are blocked by a lock`);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.pool.end();
    await new Promise((resolve) => this.#receiver.close(resolve));
    await this.#database.drop();
  }
}

export const card = (number: string) => ({
  email: 'Bo@Example.com',
  number,
  exp: '12 / 39',
  cvc: number.startsWith('3') ? '1234' : '123',
  name: 'Bo Buyer',
  zip: '94107',
});

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
