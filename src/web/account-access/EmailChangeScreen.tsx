import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { confirmEmailChange, undoEmailChange } from '#contract/app/accounts.ts';
import { emailChangePages } from '#messages/accounts.ts';
import { noTokenInUrl } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import styles from './account-access.module.css';

type Answer = { kind: 'success' | 'error'; msg: string };

/** Confirms or undoes a change of email. It changes nothing when it opens, because mail scanners open links. */
export function EmailChangeScreen() {
  const isUndo = useLocation().pathname.toLowerCase().startsWith('/undo');
  const text = isUndo ? emailChangePages.undo : emailChangePages.confirm;
  const [query] = useSearchParams();
  const token = query.get('token');
  const [isBusy, setIsBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(token ? null : { kind: 'error', msg: noTokenInUrl });
  const isDone = answer?.kind === 'success';

  async function send() {
    setIsBusy(true);
    try {
      const { msg } = await call(isUndo ? undoEmailChange : confirmEmailChange, { token: token ?? '' });
      setAnswer({ kind: 'success', msg });
    } catch (error) {
      setAnswer({ kind: 'error', msg: messageFrom(error, emailChangePages.failed) });
    }
    setIsBusy(false);
  }

  return (
    <Page title={text.title} width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status" className={styles.answer}>
        {answer && <Banner kind={answer.kind} title={answer.msg} />}
      </div>
      {token && !isDone && (
        <>
          <p className={styles.other}>{text.what}</p>
          <Button size="lg" busy={isBusy} onClick={send}>
            {text.button}
          </Button>
        </>
      )}
      {isDone && (
        <ButtonLink to="/login" kind="gold">
          Go to login
        </ButtonLink>
      )}
    </Page>
  );
}

export { EmailChangeScreen as Component };
