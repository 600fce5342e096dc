/**
 * Requests that programs send again. The first one with an idempotency key runs; the others with it get its answer, for 24 hours.
 * See docs/decisions/0095.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import {
  deleteOutdated,
  endAttempt,
  findRequest,
  type RequestName,
  storeAnswer,
  takeAttempt,
} from './idempotency.sql.ts';

export interface Answer {
  status: number;
  body: string;
}

/** The request runs. */
export interface StartedRequest {
  /** The same when the request is sent again, until it was answered. */
  id: string;
  end(answer: Answer): Promise<void>;
}

interface Sent extends RequestName {
  method: string;
  /** The route's pattern. */
  path: string;
  fields: unknown;
}

export interface Idempotency {
  /** Resolves to the request that now runs, or to the first answer. Waits a moment for one that still runs. */
  begin(sent: Sent): Promise<{ started: StartedRequest } | { answer: Answer }>;
}

const WAIT_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const PAUSE_MAX_MS = 250;

type IdempotencyDeps = Pick<Deps, 'db' | 'appSecret'>;

/** @param waitMs for a request with the same key that still runs */
export function openIdempotency({ db, appSecret }: IdempotencyDeps, waitMs = WAIT_MS): Idempotency {
  return {
    async begin({ keyId, idempotencyKey, ...request }) {
      const name = { keyId, idempotencyKey };
      const requestHash = hashOf(request);
      const giveUpAt = performance.now() + waitMs;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
        const taken = await takeAttempt(db, { ...name, requestHash });
        if (taken) return { started: startedRequest({ db, appSecret }, { ...name, ...taken }) };
        const known = await findRequest(db, name);
        if (known && !known.requestHash.equals(requestHash)) throw new AppError('idempotency.body-differs');
        if (known?.answer && known.status !== null) {
          const body = unseal(appSecret, 'api answer', known.id, known.answer);
          // Sealed under a secret that is gone. Running the request again could do it twice.
          if (body === null) throw new AppError('idempotency.in-progress');
          return { answer: { status: known.status, body: body.toString() } };
        }
        if (performance.now() >= giveUpAt) throw new AppError('idempotency.in-progress');
        await sleep(pause);
      }
    },
  };
}

/** Deletes answers that are kept no longer. */
export const sweepAnswers = ({ db }: Pick<Deps, 'db'>): Promise<void> => deleteOutdated(db);

function startedRequest(
  { db, appSecret }: IdempotencyDeps,
  attempt: Parameters<typeof storeAnswer>[1],
): StartedRequest {
  const { id } = attempt;
  return {
    id,
    async end({ status, body }) {
      if (isDecided(status))
        await storeAnswer(db, attempt, { status, answer: seal(appSecret, 'api answer', id, Buffer.from(body)) });
      else await endAttempt(db, attempt);
    },
  };
}

/** An outage and a limit pass: the same request can then get another answer. */
const isDecided = (status: number): boolean => status < 500 && status !== 429;

const hashOf = ({ method, path, fields }: Pick<Sent, 'method' | 'path' | 'fields'>): Buffer =>
  hash('sha256', JSON.stringify([method, path, sorted(fields)]), 'buffer');

/** The order of an object's fields means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}
