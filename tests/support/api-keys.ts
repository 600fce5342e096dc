import { createApiKey } from '#contract/app/programs/api-keys.ts';
import type { V1Call } from '#contract/v1/v1-call.ts';
import { type Scope, scopes } from '#domain/accounts/api-keys.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';
import type { TestApp } from './test-app.ts';

interface KeyOptions {
  scopes?: readonly Scope[];
  onlyEventIds?: string[] | null;
}

export async function newApiKey(visitor: Visitor, options: KeyOptions = {}): Promise<string> {
  const { scopes: given = scopes, onlyEventIds = null } = options;
  const form = { name: 'Turnstile', scopes: [...given], onlyEventIds, days: 365 as const };
  return expectOk(await visitor.call(createApiKey, form)).key;
}

export type V1Body = Record<string, unknown> & {
  data: Record<string, unknown>[];
  next_cursor: string | null;
  error: { code: string; message: string; params: Record<string, unknown> };
};

/** Calls as a program does. @param fields of the path; the others are sent in the query or the body */
export async function callV1(
  app: Pick<TestApp, 'server'>,
  key: string | null,
  { method, path }: Pick<V1Call, 'method' | 'path'>,
  fields: Record<string, string> = {},
) {
  const others = { ...fields };
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = others[name] ?? 'unknown';
    delete others[name];
    return encodeURIComponent(value);
  });
  const { statusCode, headers, body } = await app.server.inject({
    method,
    url,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    ...(method === 'GET' ? { query: others } : { payload: others }),
  });
  const parsed: V1Body = JSON.parse(body);
  return { status: statusCode, headers, body: parsed };
}
