import { type FoundOrganization as Found, resumeOrganization, suspendOrganization } from '#contract/app/brakes.ts';
import { organizationSuspended, searchTexts as text } from '#messages/operations/brakes.ts';
import { call } from '#web/api.ts';
import { BrakeButton } from './BrakeButton.tsx';
import { BrakeOn } from './BrakeOn.tsx';
import styles from './Search.module.css';

/** An organization, and whether it is suspended. */
export function FoundOrganization({
  organization,
  onChanged,
}: {
  organization: Found;
  onChanged: () => Promise<void>;
}) {
  const { organizationId, name, ownerEmail, suspended } = organization;
  return (
    <li className={styles.result}>
      <h4>{name ?? text.unnamed}</h4>
      <p className={styles.about}>{ownerEmail}</p>
      {suspended && <BrakeOn what={organizationSuspended} brake={suspended} />}
      <div className={styles.actions}>
        <BrakeButton
          action={suspended ? 'resume-organization' : 'suspend-organization'}
          about={name ?? ownerEmail}
          send={(note) => call(suspended ? resumeOrganization : suspendOrganization, { organizationId, note })}
          onDone={onChanged}
        />
      </div>
    </li>
  );
}
