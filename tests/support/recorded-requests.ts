/** Reads the recorded requests to Stripe, and writes them as values of the SDK's parameter types. */
import { readFile } from 'node:fs/promises';

interface RecordedRequest {
  method: string;
  path: string;
  key: string | null;
  operation: Operation;
  parameters: Json;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Operation {
  method: 'GET' | 'POST';
  path: RegExp;
  /** Type name in the SDK's namespace `Stripe`. */
  parameters: string;
  /** Expected idempotency key, from the parameters. Calls that move no money leave it to the SDK. */
  key?: (parameters: string) => string;
}

const idIn = (name: string) => (parameters: string) => new RegExp(`"${name}":"([^"]+)"`).exec(parameters)?.[1] ?? '';

/** Every call that the code makes. */
const OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    parameters: 'Checkout.SessionCreateParams',
    key: (parameters) => `cs:${idIn('client_reference_id')(parameters)}:`,
  },
  { method: 'GET', path: /^\/v1\/checkout\/sessions$/, parameters: 'Checkout.SessionListParams' },
  { method: 'GET', path: /^\/v1\/checkout\/sessions\/\w+$/, parameters: 'Checkout.SessionRetrieveParams' },
  { method: 'POST', path: /^\/v1\/checkout\/sessions\/\w+\/expire$/, parameters: 'Checkout.SessionExpireParams' },
  { method: 'GET', path: /^\/v1\/payment_intents\/\w+$/, parameters: 'PaymentIntentRetrieveParams' },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    parameters: 'RefundCreateParams',
    key: (parameters) => `re:${idIn('refund_id')(parameters)}:`,
  },
  { method: 'GET', path: /^\/v1\/refunds$/, parameters: 'RefundListParams' },
  {
    method: 'POST',
    path: /^\/v1\/transfers$/,
    parameters: 'TransferCreateParams',
    key: (parameters) => `tr:${idIn('payout_id')(parameters)}:`,
  },
  { method: 'GET', path: /^\/v1\/transfers$/, parameters: 'TransferListParams' },
  {
    method: 'POST',
    path: /^\/v1\/transfers\/\w+\/reversals$/,
    parameters: 'TransferCreateReversalParams',
    key: (parameters) => `trr:${idIn('reversal_id')(parameters)}:`,
  },
  { method: 'GET', path: /^\/v1\/transfers\/\w+\/reversals$/, parameters: 'TransferListReversalsParams' },
  { method: 'GET', path: /^\/v1\/disputes$/, parameters: 'DisputeListParams' },
  { method: 'GET', path: /^\/v1\/balance$/, parameters: 'BalanceRetrieveParams' },
  { method: 'GET', path: /^\/v1\/balance_transactions$/, parameters: 'BalanceTransactionListParams' },
  { method: 'GET', path: /^\/v1\/events$/, parameters: 'EventListParams' },
  {
    method: 'POST',
    path: /^\/v2\/core\/accounts$/,
    parameters: 'V2.Core.AccountCreateParams',
    key: (parameters) => `acct:${idIn('organization_id')(parameters)}`,
  },
  { method: 'GET', path: /^\/v2\/core\/accounts\/\w+$/, parameters: 'V2.Core.AccountRetrieveParams' },
  { method: 'POST', path: /^\/v2\/core\/account_links$/, parameters: 'V2.Core.AccountLinkCreateParams' },
  { method: 'POST', path: /^\/v1\/accounts\/\w+\/login_links$/, parameters: 'AccountCreateLoginLinkParams' },
];

interface Exchange {
  method: string;
  path: string;
  requestHeaders: Record<string, string | undefined>;
  requestBody: string;
}

/** The recorded requests, and any calls not listed in OPERATIONS. */
export async function readRecording(file: string): Promise<{ requests: RecordedRequest[]; unknown: string[] }> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const requests: RecordedRequest[] = [];
  const unknown: string[] = [];
  for (const line of lines) {
    const exchange: Partial<Exchange> = JSON.parse(line);
    const { method = '', path: url = '', requestHeaders = {}, requestBody = '' } = exchange;
    if (!method) continue;
    const [path = '', query = ''] = url.split('?');
    const operation = OPERATIONS.find((one) => one.method === method && one.path.test(path));
    if (!operation) {
      unknown.push(`${method} ${path}`);
      continue;
    }
    const isJson = path.startsWith('/v2/') && method === 'POST';
    const parameters = isJson ? JSON.parse(requestBody) : fromForm(method === 'GET' ? query : requestBody);
    requests.push({ method, path, key: requestHeaders['idempotency-key'] ?? null, operation, parameters });
  }
  return { requests, unknown };
}

/** The expected idempotency key without its attempt number, or `null`. */
export function dueKey({ operation, parameters }: RecordedRequest): string | null {
  return operation.key?.(JSON.stringify(parameters)) ?? null;
}

/** A TypeScript file with each request as a literal of its type: a parameter unknown to the SDK does not compile. */
export function asTypeScript(requests: readonly RecordedRequest[]): string {
  const values = new Map<string, string>();
  for (const { operation, parameters } of requests) {
    const literal = JSON.stringify(parameters);
    values.set(`${operation.parameters} ${literal}`, `Stripe.${operation.parameters} = ${literal};`);
  }
  const lines = [...values.values()].map((value, index) => `export const request${index}: ${value}`);
  return `import type Stripe from 'stripe';\n${lines.join('\n')}\n`;
}

/**
 * Form values are text. Digits become numbers and `true` and `false` booleans, because the SDK encodes them so; values
 * in `metadata` stay text. Keys 0, 1, 2 ... make an array.
 */
function fromForm(form: string): Json {
  const root: { [name: string]: Json } = {};
  for (const [name, text] of new URLSearchParams(form)) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '');
    let node = root;
    for (const key of keys.slice(0, -1)) {
      const inner = node[key];
      const next = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
      node[key] = next;
      node = next;
    }
    node[keys.at(-1) ?? ''] = keys.includes('metadata') ? text : valueOf(text);
  }
  return withLists(root);
}

function valueOf(text: string): Json {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function withLists(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
