/** Exports all data about a person, and about the organization that they own, as one JSON document, streamed page by page. */

import { denyAction } from '#domain/accounts/roles.ts';
import { requireReauthentication } from '#server/accounts/policies.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { eventQueries, organizationOf, organizationQueries, personOf, personQueries } from './organizer.sql.ts';

const PAGE = 500;

export interface RecordsFile {
  fileName: string;
  chunks: AsyncIterable<string>;
}

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret'>;
type Row = Record<string, unknown> & { key: string };

export async function exportOrganizer(deps: ExportDeps, organizer: Organizer, ip: string): Promise<RecordsFile> {
  requireReauthentication(organizer);
  await consumeLimit(deps.rateLimiter, 'export-records', organizer.userId);
  const from = { ip, appSecret: deps.appSecret };
  await recordAuditEvent(deps.db, {
    action: 'export-records',
    by: organizer,
    subject: organizer.userId,
    at: deps.clock.now(),
    from,
  });
  return { fileName: 'my-records.json', chunks: jsonOf(deps, organizer) };
}

async function* jsonOf({ db, clock }: ExportDeps, organizer: Organizer): AsyncGenerator<string> {
  const { userId, organizationId, email } = organizer;
  const isOwners = denyAction(organizer, 'organization.export') === null;
  const person = await personOf(db, userId);
  const profile = isOwners ? { ...person, ...(await organizationOf(db, organizationId)) } : person;
  yield `{"madeAt":${JSON.stringify(clock.now())},"profile":${JSON.stringify(profile)}`;
  const eventIds: string[] = [];
  for (const [name, query] of Object.entries({ ...personQueries, ...(isOwners && organizationQueries) })) {
    yield* jsonArray(name, async function* () {
      yield* pages(async (after) => {
        const { rows } = await query({ eventIds, userId, organizationId, email, after, limit: PAGE }).execute(db);
        if (name === 'events') eventIds.push(...rows.map(({ key }) => key));
        return rows;
      });
    });
  }
  // Without the organization's events, none of their data follows.
  for (const [name, query] of Object.entries(eventQueries)) {
    yield* jsonArray(name, async function* () {
      for (const eventId of eventIds)
        yield* pages(async (after) => (await query(eventId, after, PAGE).execute(db)).rows);
    });
  }
  yield '}\n';
}

async function* jsonArray(name: string, rowsOf: () => AsyncGenerator<Row[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}:[`;
  let isFirst = true;
  for await (const rows of rowsOf()) {
    const text = rows.map(({ key: _key, ...row }) => JSON.stringify(row)).join(',\n');
    yield isFirst ? text : `,\n${text}`;
    isFirst = false;
  }
  yield ']';
}

async function* pages(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE) return;
    after = last.key;
  }
}
