import { Link } from 'react-router';
import { adminAudit, adminAuditFile } from '#contract/app/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { auditPage as text } from '#messages/records/audit.ts';
import { call } from '#web/api.ts';
import { AdminsOnly } from '#web/shell/AdminsOnly.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { ActivityLog } from './ActivityLog.tsx';
import styles from './activity.module.css';
import { useActivity } from './use-activity.ts';

const load = (query: InputOf<typeof adminAudit>) => call(adminAudit, query);

export function AuditScreen() {
  return (
    <AdminsOnly title={text.title}>
      <AuditLog />
    </AdminsOnly>
  );
}

function AuditLog() {
  const activity = useActivity(load);
  const query = new URLSearchParams({ ...activity.filters }).toString();
  return (
    <Page title={text.title} lead={text.lead}>
      <ActivityLog activity={activity} showsOrganization>
        <TextField label={text.organizationId} name="organization" autoComplete="off" />
      </ActivityLog>
      <p className={styles.back}>
        <a href={`${adminAuditFile.path}?${query}`} download="">
          {text.download}
        </a>
        <Link to="/dashboard">{text.back}</Link>
      </p>
    </Page>
  );
}
