import type { ReactNode } from 'react';
import type { AuditedEvent } from '#contract/app/audit.ts';
import { auditActions, isAuditAction } from '#domain/accounts/audit-actions.ts';
import { actorNames, auditMessage, activityPage as text } from '#messages/records/audit.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import styles from './activity.module.css';
import { filtersOf, type useActivity } from './use-activity.ts';

type Option = { value: string; label: string };

const actionOptions: Option[] = [
  { value: '', label: text.allActions },
  ...Object.keys(auditActions)
    .filter(isAuditAction)
    .map((action) => ({ value: action, label: auditMessage(action, {}) })),
];

export function ActivityLog({
  activity,
  showsOrganization = false,
  children,
}: {
  activity: Pick<ReturnType<typeof useActivity>, 'shown' | 'setFilters' | 'failure' | 'isBusy' | 'show'>;
  showsOrganization?: boolean;
  /** Filters in front of the ones that every log has. */
  children: ReactNode;
}) {
  const { shown, setFilters, failure, isBusy, show } = activity;
  const next = shown?.next;
  return (
    <>
      {/* Nothing to filter where the role doesn't permit it. */}
      {(shown || failure === null) && (
        <form
          className={styles.filters}
          aria-label={text.filters}
          onChange={(event) => setFilters(filtersOf(event.currentTarget))}
          onSubmit={(event) => event.preventDefault()}
        >
          {children}
          <SelectField label={text.action} name="action" options={actionOptions} />
          <TextField label={text.from} name="from" type="date" />
          <TextField label={text.until} name="until" type="date" />
        </form>
      )}
      {failure && <NotLoaded {...failure} onRetry={() => show()} />}
      <div className={styles.log} aria-busy={isBusy}>
        {shown && shown.entries.length > 0 && (
          <DataTable
            caption={text.caption}
            columns={showsOrganization ? [...columns, organizationColumn] : columns}
            rows={shown.entries}
            keyOf={({ id }) => id}
          />
        )}
        <p role="status" className={styles.none}>
          {shown?.entries.length === 0 ? text.none : ''}
        </p>
        {next && (
          <Button kind="ghost" busy={isBusy} onClick={() => show(next)}>
            {text.older}
          </Button>
        )}
      </div>
    </>
  );
}

const columns: Column<AuditedEvent>[] = [
  { label: text.when, cell: ({ at }) => <time dateTime={at}>{timeOf(at)}</time> },
  { label: text.who, cell: ({ actor, actorKind }) => actor ?? actorNames[actorKind] },
  { label: text.what, cell: ({ action, params }) => (isAuditAction(action) ? auditMessage(action, params) : action) },
  { label: text.event, cell: ({ event }) => event?.title ?? '–' },
];

const organizationColumn: Column<AuditedEvent> = {
  label: text.organization,
  cell: ({ organization }) => organization?.name ?? organization?.id ?? '–',
};

const timeOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at));
