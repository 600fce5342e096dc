/** An iPhone with passes of ours, as Apple's pass web service describes its calls. */
import { randomBytes } from 'node:crypto';
import { applePass } from '#contract/app/sales/ticket-files.ts';
import { openPass } from './open-pass.ts';
import type { TestApp } from './test-app.ts';
import { PASS_TYPE } from './wallet-keys.ts';

/** What phones call. The app's own address has no TLS, which phones require. */
export const WALLET_SITE = 'https://tickets.example';

const SERVICE = '/api/public/wallet/apple/v1';

export interface SavedPass {
  passId: string;
  token: string;
  json: Record<string, unknown>;
}

/** Downloads a pass from the page of an order or a ticket. */
export async function savePass(app: TestApp, token: string, ticket = 1): Promise<SavedPass> {
  const { json } = await openPass(await app.visitor().fetch(`${applePass.path}?token=${token}&ticket=${ticket}`));
  return { json, passId: String(json['serialNumber']), token: String(json['authenticationToken']) };
}

export function newPhone(app: TestApp, passType = PASS_TYPE) {
  const deviceId = randomBytes(16).toString('hex');
  const pushToken = randomBytes(32).toString('hex');
  const send = (path: string, method: string, headers: Record<string, string> = {}, body?: unknown) =>
    app.visitor().fetch(SERVICE + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const registrations = (id = deviceId) => `/devices/${id}/registrations/${passType}`;
  const showing = (token: string) => ({ authorization: `ApplePass ${token}` });
  return {
    deviceId,
    pushToken,
    send,
    register: (pass: Pick<SavedPass, 'passId' | 'token'>, body: unknown = { pushToken }) =>
      send(`${registrations()}/${pass.passId}`, 'POST', showing(pass.token), body),
    unregister: (pass: Pick<SavedPass, 'passId' | 'token'>, id = deviceId) =>
      send(`${registrations(id)}/${pass.passId}`, 'DELETE', showing(pass.token)),
    /** The changed passes; null if none has changed. */
    async list(tag?: string): Promise<{ lastUpdated: string; serialNumbers: string[] } | null> {
      const query = tag === undefined ? '' : `?passesUpdatedSince=${encodeURIComponent(tag)}`;
      const reply = await send(registrations() + query, 'GET');
      if (reply.status === 204) return null;
      return (await reply.json()) as { lastUpdated: string; serialNumbers: string[] };
    },
    load: ({ passId, token }: Pick<SavedPass, 'passId' | 'token'>, since?: string | null) =>
      send(`/passes/${passType}/${passId}`, 'GET', {
        ...showing(token),
        ...(since && { 'if-modified-since': since }),
      }),
  };
}
