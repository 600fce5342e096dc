import { useCallback, useEffect, useState } from 'react';
import { endOtherSessions, endSession, sessions } from '#contract/app/security.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { sessionList as text } from '#messages/security.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './security.module.css';

type Session = ReplyOf<typeof sessions>['sessions'][number];

export function SessionsCard() {
  const { list, isFailed, reload } = useSessions();
  const [busyWith, setBusyWith] = useState<string | null>(null);

  async function run(what: string, end: () => Promise<{ msg: string }>) {
    setBusyWith(what);
    try {
      toast.success((await end()).msg);
      await reload();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setBusyWith(null);
  }

  const columns: Column<Session>[] = [
    { label: text.device, cell: (session) => <Device session={session} /> },
    { label: text.loggedInAt, cell: ({ createdAt }) => timeOf(createdAt) },
    { label: text.lastUsed, cell: ({ lastSeenAt }) => timeOf(lastSeenAt) },
    {
      label: text.actions,
      quiet: true,
      cell: ({ id, browser, isThis }) =>
        !isThis && (
          <Button
            kind="ghost"
            busy={busyWith === id}
            aria-label={text.endLabel(browser ?? text.unknownDevice)}
            onClick={() => run(id, () => call(endSession, { sessionId: id }))}
          >
            {text.end}
          </Button>
        ),
    },
  ];

  return (
    <section className={styles.card} aria-labelledby="sessions-title">
      <h2 id="sessions-title">{text.title}</h2>
      {isFailed && (
        <Banner kind="error" title={text.notLoaded}>
          <Button kind="ghost" onClick={reload}>
            {text.again}
          </Button>
        </Banner>
      )}
      {list && <DataTable caption={text.caption} columns={columns} rows={list} keyOf={({ id }) => id} />}
      {list?.length === 1 && <p className={styles.why}>{text.onlyThis}</p>}
      {list && list.length > 1 && (
        <Button
          kind="ghost"
          busy={busyWith === 'others'}
          onClick={() => run('others', () => call(endOtherSessions, {}))}
        >
          {text.endOthers}
        </Button>
      )}
    </section>
  );
}

function Device({ session: { browser, isThis } }: { session: Session }) {
  return (
    <span className={styles.device}>
      {browser ?? text.unknownDevice} {isThis && <Chip tone="ok">{text.isThis}</Chip>}
    </span>
  );
}

const timeOf = (at: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(
    new Date(at),
  );

function useSessions() {
  const [list, setList] = useState<Session[] | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const reload = useCallback(async () => {
    try {
      setList((await call(sessions, {})).sessions);
      setIsFailed(false);
    } catch {
      setIsFailed(true);
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { list, isFailed, reload };
}
