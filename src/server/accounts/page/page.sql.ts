import { sql, type Updateable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

export function findPage(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations as o')
    .where('o.id', '=', organizationId)
    .select(['o.name', 'o.slug', 'o.website', 'o.logoFile', 'o.accent', 'o.isPagePublic'])
    .select(sql<boolean>`has_page(o)`.as('isShown'))
    .executeTakeFirstOrThrow();
}

export async function updatePage(
  db: Db,
  organizationId: string,
  page: Pick<Updateable<Schema['organizations']>, 'slug' | 'website' | 'logoFile' | 'accent' | 'isPagePublic'>,
): Promise<void> {
  await db.updateTable('organizations').set(page).where('id', '=', organizationId).execute();
}

/** Until the transaction ends, so that two organizations don't take one address, and none takes what another leaves. */
export async function lockSlugs(db: Db, slugs: readonly string[]): Promise<void> {
  for (const slug of [...slugs].sort())
    await sql`select pg_advisory_xact_lock(${lockNamespaces.slugs}::int, hashtext(${slug}))`.execute(db);
}

/** By another organization, now or a while ago. */
export async function isSlugTaken(
  db: Db,
  { slug, organizationId, now }: { slug: string; organizationId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from organizations where slug = ${slug} and id <> ${organizationId}
    union all
    select from former_slugs
     where slug_hash = slug_hash(${slug}) and organization_id <> ${organizationId} and closed_until > ${now}`.execute(
    db,
  );
  return rows.length > 0;
}

export async function leaveSlug(
  db: Db,
  {
    slug,
    organizationId,
    until,
    closedUntil,
  }: { slug: string; organizationId: string; until: Date; closedUntil: Date },
): Promise<void> {
  await sql`
    insert into former_slugs (slug_hash, organization_id, until, closed_until)
    values (slug_hash(${slug}), ${organizationId}, ${until}, ${closedUntil})
        on conflict (slug_hash) do update
       set organization_id = excluded.organization_id, until = excluded.until, closed_until = excluded.closed_until`.execute(
    db,
  );
}

export async function forgetFormerSlug(db: Db, slug: string): Promise<void> {
  await sql`delete from former_slugs where slug_hash = slug_hash(${slug})`.execute(db);
}

/** The address of the page that a former one leads to. */
export async function findSuccessor(db: Db, slug: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ slug: string }>`
    select o.slug from former_slugs f join organizations o on o.id = f.organization_id
     where f.slug_hash = slug_hash(${slug}) and f.until > ${now} and has_page(o)`.execute(db);
  return rows[0]?.slug ?? null;
}
