/**
 * Compiles recorded responses and events as TypeScript literals against the installed SDK's types, so that missing and
 * unknown fields are compile errors.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callEveryOperation } from '#tests/support/call-every-operation.ts';
import { TestSandbox } from '#tests/support/test-sandbox.ts';
import { routes } from './api/routes.ts';

const TYPES: Record<string, string> = {
  account: 'Stripe.Account',
  balance: 'Stripe.Balance',
  balance_settings: 'Stripe.BalanceSettings',
  balance_transaction: 'Stripe.BalanceTransaction',
  bank_account: 'Stripe.BankAccount',
  charge: 'Stripe.Charge',
  'checkout.session': 'Stripe.Checkout.Session',
  dispute: 'Stripe.Dispute',
  event: 'Stripe.Event',
  file: 'Stripe.File',
  item: 'Stripe.LineItem',
  login_link: 'Stripe.LoginLink',
  payment_intent: 'Stripe.PaymentIntent',
  payout: 'Stripe.Payout',
  'radar.early_fraud_warning': 'Stripe.Radar.EarlyFraudWarning',
  refund: 'Stripe.Refund',
  transfer: 'Stripe.Transfer',
  transfer_reversal: 'Stripe.TransferReversal',
  'v2.core.account': 'Stripe.V2.Core.Account',
  'v2.core.account_link': 'Stripe.V2.Core.AccountLink',
  'v2.core.event': 'Plain<Stripe.V2.Core.Event>',
  webhook_endpoint: 'Stripe.WebhookEndpoint',
};

/** Sent by Stripe for connected accounts, but missing from the SDK's types. */
const UNDECLARED_EVENTS = ['payment.created'];

const PRELUDE = `import type Stripe from 'stripe';
type Plain<T> = T extends unknown ? { [K in keyof T as T[K] extends (...given: never[]) => unknown ? never : K]: T[K] } : never;
declare const decimal: Stripe.Decimal;
`;

/** Each response is on its own line. */
const LINES_BEFORE = PRELUDE.split('\n').length;

interface RecordedCall {
  method: string;
  path: string;
  status: number;
  responseBody: string;
}

let folder = '';
let responses: Map<string, Record<string, unknown>>;
let compileErrors: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-fields-'));
  const recordFile = join(folder, 'record.jsonl');
  const sandbox = await TestSandbox.open({ recordFile });
  await callEveryOperation(sandbox);
  await sandbox.close();
  responses = responsesByOperation(await readFile(recordFile, 'utf8'));
  compileErrors = await compiled(responses);
});
afterAll(() => rm(folder, { recursive: true }));

it('every operation is covered', () => {
  const uncovered = routes
    .map(({ method, path }) => `${method} ${path}`)
    // These only return errors.
    .filter((name) => name !== 'POST /v1/accounts' && name !== 'POST /v1/refunds/:id/cancel')
    .filter((name) => ![...responses.keys()].some((key) => key.startsWith(`${name} `)));
  expect(uncovered).toEqual([]);
});

it('every response and event matches its SDK type exactly', () => {
  expect(compileErrors).toEqual([]);
});

/** Keyed by operation and response keys, or by event type. */
function responsesByOperation(record: string): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const text of record.trim().split('\n')) {
    const line: Partial<RecordedCall> & { event?: string; payload?: string } = JSON.parse(text);
    if (line.payload !== undefined && line.event !== undefined)
      found.set(`event ${line.event}`, JSON.parse(line.payload));
    if (line.method === undefined || line.path === undefined || line.status !== 200) continue;
    const path = line.path.split('?', 1)[0] ?? '';
    const route = routes.find((candidate) => candidate.method === line.method && patternOf(candidate.path).test(path));
    if (!route) continue;
    const body: Record<string, unknown> = JSON.parse(line.responseBody ?? '{}');
    const shape = Object.keys(body).sort().join(',');
    if (!Array.isArray(body['data']) || body['data'].length > 0)
      found.set(`${route.method} ${route.path} ${shape}`, body);
  }
  for (const type of UNDECLARED_EVENTS) found.delete(`event ${type}`);
  return found;
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);

function typeOf(body: Record<string, unknown>): string {
  if (body['deleted'] === true) return 'Stripe.DeletedWebhookEndpoint';
  if (!Array.isArray(body['data'])) return TYPES[String(body['object'])] ?? `never /* ${String(body['object'])} */`;
  const inList = body['data'].map((item: Record<string, unknown>) => typeOf(item)).at(0) ?? 'never';
  return body['object'] === 'list'
    ? `Stripe.ApiList<${inList}>`
    : `{ data: ${inList}[]; next_page_url: string | null; previous_page_url: string | null }`;
}

/** A literal, so that the compiler rejects unknown fields. The SDK omits fields that v2 thin events send as null. */
function literal(body: Record<string, unknown>): string {
  const isThin = body['object'] === 'v2.core.event';
  const text = JSON.stringify(body, (_key, value: unknown) => (isThin && value === null ? undefined : value));
  return text.replace(/("unit_amount_decimal":)"[^"]*"/g, '$1decimal');
}

async function compiled(responses: Map<string, Record<string, unknown>>): Promise<string[]> {
  const names = [...responses.keys()];
  const sources = names.map((name, index) => {
    const body = responses.get(name) ?? {};
    return `export const response${index}: ${typeOf(body)} = ${literal(body)};\n`;
  });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'responses.ts'), PRELUDE + sources.join(''));
  const options = '--noEmit --strict --skipLibCheck --module nodenext --target esnext --types node --pretty false';
  const tsc = promisify(execFile)(resolve('node_modules/.bin/tsc'), [...options.split(' '), 'responses.ts'], {
    cwd: folder,
  });
  const output = await tsc.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = Number(/^responses\.ts\((\d+),/.exec(line)?.[1] ?? 0);
      return `${names[at - LINES_BEFORE] ?? ''}: ${line.slice(0, 400)}`;
    });
}
