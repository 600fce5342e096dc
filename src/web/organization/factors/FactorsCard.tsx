import { useState } from 'react';
import { removeFactor, renewRecoveryCodes, requireFactor, setUpApp } from '#contract/app/factors.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { factorList as text } from '#messages/accounts/factors.ts';
import { call, messageFrom } from '#web/api.ts';
import { supportsPasskeys } from '#web/passkeys.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from '../security.module.css';
import { AddAppDialog } from './AddAppDialog.tsx';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { type Factor, useFactors } from './use-factors.ts';

type NewApp = ReplyOf<typeof setUpApp>;

export function FactorsCard() {
  const { list, recoveryCodesLeft, isRequired, ofOrganization, isFailed, reload } = useFactors();
  const [adding, setAdding] = useState<'passkey' | NewApp | null>(null);
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  const [busyWith, setBusyWith] = useState<string | null>(null);

  async function run(what: string, change: () => Promise<void>) {
    setBusyWith(what);
    try {
      await change();
      await reload();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setBusyWith(null);
  }
  const remove = ({ id }: Factor) =>
    run(id, async () => toast.success((await call(removeFactor, { factorId: id })).msg));
  const renewCodes = () => run('codes', async () => setNewCodes((await call(renewRecoveryCodes, {})).recoveryCodes));

  const addApp = () => run('app', async () => setAdding(await call(setUpApp, {})));

  function onAdded({ recoveryCodes }: { recoveryCodes: string[] | null }, msg: string) {
    setAdding(null);
    setNewCodes(recoveryCodes);
    toast.success(msg);
    void reload();
  }

  const hasApp = list?.some(({ kind }) => kind === 'totp') ?? false;
  const columns: Column<Factor>[] = [
    { label: text.name, cell: nameOf },
    { label: text.added, cell: ({ createdAt }) => dayOf(createdAt) },
    { label: text.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? dayOf(lastUsedAt) : text.never) },
    {
      label: text.actions,
      quiet: true,
      cell: (factor) => (
        <Button
          kind="ghost"
          busy={busyWith === factor.id}
          aria-label={text.removeLabel(nameOf(factor))}
          onClick={() => remove(factor)}
        >
          {text.remove}
        </Button>
      ),
    },
  ];

  return (
    <section className={styles.card} aria-labelledby="factors-title">
      <h2 id="factors-title">{text.title}</h2>
      <p className={styles.why}>{text.why}</p>
      {isFailed && (
        <Banner kind="error" title={text.notLoaded}>
          <Button kind="ghost" onClick={reload}>
            {text.again}
          </Button>
        </Banner>
      )}
      {list?.length === 0 &&
        (isRequired ? <Banner title={text.required} /> : <p className={styles.why}>{text.none}</p>)}
      {list && list.length > 0 && (
        <>
          <DataTable caption={text.caption} columns={columns} rows={list} keyOf={({ id }) => id} />
          <p className={styles.why}>{text.codesLeft(recoveryCodesLeft)}</p>
        </>
      )}
      {list && (
        <div className={styles.choices}>
          {supportsPasskeys() && <Button onClick={() => setAdding('passkey')}>{text.addPasskey}</Button>}
          <Button kind="ghost" busy={busyWith === 'app'} onClick={addApp}>
            {hasApp ? text.replaceApp : text.addApp}
          </Button>
          {list.length > 0 && (
            <Button kind="ghost" busy={busyWith === 'codes'} onClick={renewCodes}>
              {text.renewCodes}
            </Button>
          )}
        </div>
      )}
      {ofOrganization?.mayChange && (
        <Requirement
          isRequired={ofOrganization.isRequired}
          isBusy={busyWith === 'requirement'}
          onChange={(next) => run('requirement', async () => toast.success((await call(requireFactor, next)).msg))}
        />
      )}
      {adding && adding !== 'passkey' && (
        <AddAppDialog app={adding} onAdded={onAdded} onClose={() => setAdding(null)} />
      )}
      {adding === 'passkey' && <AddPasskeyDialog onAdded={onAdded} onClose={() => setAdding(null)} />}
      {newCodes && <RecoveryCodesDialog codes={newCodes} onClose={() => setNewCodes(null)} />}
    </section>
  );
}

interface RequirementProps {
  isRequired: boolean;
  isBusy: boolean;
  onChange: (next: { isRequired: boolean }) => void;
}

/** The owner decides for all members. */
function Requirement({ isRequired, isBusy, onChange }: RequirementProps) {
  return (
    <>
      <p className={styles.why}>{text.requirement}</p>
      <div>
        <Button kind="ghost" busy={isBusy} onClick={() => onChange({ isRequired: !isRequired })}>
          {isRequired ? text.noLongerRequire : text.requireOfAll}
        </Button>
      </div>
    </>
  );
}

const nameOf = ({ kind, name }: Factor) => name || text.kinds[kind];

const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(at));
