/** The description of the API: valid, what the calls answer, and never broken. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { v1Calls } from '#contract/v1/calls.ts';
import { apiDescription } from '#contract/v1/description.ts';
import { resource } from '#contract/v1/v1-call.ts';
import { errorTexts } from '#messages/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { callV1, moreIds, newApiKey, sampleFields } from '#tests/support/api-keys.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { apiDocument } from './api-document.ts';

/** What programs rely on. `node scripts/api-document.mjs` writes it. */
const RELEASED = new URL('../../../../docs/openapi.json', import.meta.url);

let app: TestApp;
let ids: Record<string, string>;
let key: string;
withTestApp((opened) => {
  app = opened;
});
beforeAll(async () => {
  const event = await eventOnSale(app);
  const { eventId, visitor } = event;
  await buyTickets(app, eventId, generalAdmission(1));
  key = await newApiKey(visitor);
  const { endpointId } = await newWebhook(visitor, { url: 'http://127.0.0.1:9/hooks' }, { types: ['event.published'] });
  const { id, orderId } = await app.db.selectFrom('tickets').select(['id', 'orderId']).executeTakeFirstOrThrow();
  const more = await moreIds(app, event);
  ids = { event_id: eventId, ticket_id: id, order_id: orderId, endpoint_id: endpointId, ...more };
});

describe('The description of the API', () => {
  it('is a valid OpenAPI 3.1 document [API-9]', async () => {
    const { body } = await app.call(apiDescription, {});

    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(expectOk({ status: 200, body })));

    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  it('describes every call, its fields and its errors [API-9]', () => {
    const { paths } = apiDocument(app.publicUrl);
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );

    expect(described.toSorted()).toEqual(v1Calls.map(({ name }) => name).toSorted());
    expect(v1Calls.flatMap(({ errors }) => errors).filter((code) => !(code in errorTexts))).toEqual([]);
  });

  it('describes every answer of every call, errors included [API-9]', async () => {
    const document = apiDocument(app.publicUrl);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'api', components: document.components });

    for (const call of v1Calls) {
      const fields = sampleFields(call, ids);
      const good = await callV1(app, key, call, fields);
      const bad = await callV1(app, key, call, { ...fields, unknown_field: 'x' });
      const denied = await callV1(app, null, call, fields);

      for (const [answer, schema] of [
        [
          good,
          String(
            document.paths[pathOf(call)]?.[call.method.toLowerCase()]?.responses['200']?.content['application/json']
              ?.schema.$ref,
          ),
        ],
        [bad, '#/components/schemas/Error'],
        [denied, '#/components/schemas/Error'],
      ] as const) {
        const isDescribed = ajv.validate(`api${schema}`, answer.body);
        expect({ call: call.name, isDescribed, errors: ajv.errors }).toEqual({
          call: call.name,
          isDescribed: true,
          errors: null,
        });
      }
      expect([good.status, bad.status, denied.status]).toEqual([200, 400, 401]);
    }
  });

  it('has a name for each resource that no other one has', () => {
    expect(() => resource('Refund', z.object({}))).toThrow('Refund');
  });

  it('is the one in docs/openapi.json, so that a change is seen [API-9]', () => {
    const written: unknown = JSON.parse(readFileSync(RELEASED, 'utf8'));

    expect(apiDocument('https://tickets.example')).toEqual(written);
  });

  it('has an example of each call that runs [API-10]', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(1));
    const { id, orderId } = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', event.eventId)
      .select(['id', 'orderId'])
      .executeTakeFirstOrThrow();
    const more = await moreIds(app, event);
    const { endpointId } = await newWebhook(event.visitor, { url: more.webhook_url }, { types: ['event.published'] });
    const own = { event_id: event.eventId, ticket_id: id, order_id: orderId, endpoint_id: endpointId, ...more };
    const { paths } = apiDocument(app.publicUrl);
    const commands = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId, 'x-curl': command }) => ({ operationId, command })),
    );
    const env = {
      HANDSTAMP_URL: app.publicUrl,
      HANDSTAMP_KEY: await newApiKey(event.visitor),
      ...Object.fromEntries(Object.entries(own).map(([name, id]) => [name.toUpperCase(), id])),
    };

    for (const { operationId, command } of commands) {
      // Not every machine has it.
      const script = `uuidgen() { echo ${newId()}; }; ${command} --fail-with-body --silent`;
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env });
      expect({ operationId, answer: JSON.parse(stdout) }).toEqual({ operationId, answer: expect.any(Object) });
    }
  });
});

const pathOf = ({ path }: { path: string }) => path.slice('/api/v1'.length).replace(/:(\w+)/g, '{$1}');
