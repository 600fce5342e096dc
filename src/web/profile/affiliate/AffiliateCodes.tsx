import { useEffect, useState } from 'react';
import { affiliateCodes } from '#contract/app/affiliates.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { codeStateTexts, codeList as text } from '#messages/records/affiliates.ts';
import { call } from '#web/api.ts';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import styles from './AffiliateProgramDialog.module.css';

type Code = ReplyOf<typeof affiliateCodes>['codes'][number];

const tones = { unused: 'note', waiting: 'few', rewarded: 'ok', expired: 'off' } as const;

const columns: Column<Code>[] = [
  { label: text.code, cell: ({ code }) => <span className={styles.listed}>{code}</span> },
  { label: text.generated, cell: ({ createdAt }) => dayOf(createdAt) },
  { label: text.state, cell: ({ state }) => <Chip tone={tones[state]}>{codeStateTexts[state]}</Chip> },
];

/** What became of each code. Nothing before the first one. */
export function AffiliateCodes() {
  const [codes, setCodes] = useState<readonly Code[] | null | 'failed'>(null);
  useEffect(() => {
    call(affiliateCodes, {}).then(
      (reply) => setCodes(reply.codes),
      () => setCodes('failed'),
    );
  }, []);

  if (codes === 'failed') return <Banner kind="error">{text.notLoaded}</Banner>;
  if (!codes || codes.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <DataTable caption={text.caption} columns={columns} rows={codes} keyOf={({ code }) => code} />
    </section>
  );
}

const dayOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(at));
