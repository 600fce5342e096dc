/** Stand-ins on loopback of what wallets learn by: Apple's push service and Google's API. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { jwtVerify } from 'jose';
import type { PushService } from '#server/platform/adapters/wallets/apple-push.ts';
import type { GoogleApi } from '#server/platform/adapters/wallets/google-wallet.ts';
import { makeDataDirectory } from './test-database.ts';
import { SERVICE_ACCOUNT } from './wallet-keys.ts';

const TIMEOUT_MS = 20_000;

interface Push {
  token: string;
  topic: string;
  body: string;
  /** Of the certificate that the client showed. */
  certificate: string;
}

/** @param keys whose root issues the clients' certificates */
export async function startPushService(keys: { folder: string }) {
  const folder = makeDataDirectory();
  const command = 'req -x509 -newkey rsa:2048 -nodes -keyout push.key -out push.pem -subj /CN=push -addext';
  const options = { cwd: folder, stdio: 'pipe' } as const;
  execFileSync('openssl', [...command.split(' '), 'subjectAltName=IP:127.0.0.1'], options);
  const cert = readFileSync(join(folder, 'push.pem'), 'utf8');
  const server = createSecureServer({
    key: readFileSync(join(folder, 'push.key')),
    cert,
    ca: readFileSync(join(keys.folder, 'root.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const pushes: Push[] = [];
  const answers = new Map<string, { status: number; reason?: string }>();
  let gate: Promise<void> = Promise.resolve();
  const sessions = new Set<ServerHttp2Session>();
  const disconnect = () => sessions.forEach((session) => session.destroy());
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    void answer(stream, headers);
  });
  async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const body = await text(stream);
    const token = String(headers[':path']).replace('/3/device/', '');
    const peer = (stream.session?.socket as TLSSocket | undefined)?.getPeerCertificate();
    pushes.push({ token, topic: String(headers['apns-topic']), body, certificate: String(peer?.subject.CN) });
    await gate;
    const { status, reason } = answers.get(token) ?? answers.get('all') ?? { status: 200 };
    if (stream.destroyed) return;
    stream.respond({ ':status': status });
    stream.end(reason === undefined ? '' : JSON.stringify({ reason }));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service: PushService = { origin: `https://127.0.0.1:${port}`, ca: cert, timeoutMs: TIMEOUT_MS };
  return {
    service,
    pushes,
    /** By token, or `all`. */
    answers,
    /** Answers nothing until the returned function is called. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    /** Opened so far. */
    connections: () => sessions.size,
    disconnect,
    async close(): Promise<void> {
      disconnect();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Change {
  path: string;
  body: Record<string, unknown>;
}

/** @param publicKey of the service account */
export async function startGoogleApi(publicKey: Parameters<typeof jwtVerify>[1]) {
  const changes: Change[] = [];
  /** What was saved, by id; anything else is unknown. Null: all of it. */
  const state: { saved: Set<string> | null; status: number; granted: number; access: string } = {
    saved: null,
    status: 200,
    granted: 0,
    access: 'first',
  };
  let origin = '';
  let gate: Promise<void> = Promise.resolve();
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = await text(request);
    const answer = (status: number, json: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (request.url === '/token') {
      const form = new URLSearchParams(body);
      const expected = { issuer: SERVICE_ACCOUNT, audience: `${origin}/token` };
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, expected);
      if (payload['scope'] !== 'https://www.googleapis.com/auth/wallet_object.issuer') return answer(400, {});
      state.granted += 1;
      return answer(200, { access_token: state.access, expires_in: 3600, token_type: 'Bearer' });
    }
    if (request.headers.authorization !== `Bearer ${state.access}` || request.method !== 'PATCH')
      return answer(401, {});
    if (state.status !== 200) return answer(state.status, {});
    const id = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    if (state.saved && !state.saved.has(id)) return answer(404, {});
    changes.push({ path: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
    await gate;
    return answer(200, {});
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api: GoogleApi = { wallet: origin, tokens: origin, timeoutMs: TIMEOUT_MS };
  return {
    api,
    changes,
    state,
    /** Answers no change until the returned function is called. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
