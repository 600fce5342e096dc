import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { acceptInvitation, invitation } from '#contract/app/team.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { roleDescriptions, invitationPage as text } from '#messages/accounts/team.ts';
import { noTokenInUrl } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { isSignedIn } from '#web/shell/session-token.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { useLogIn } from '#web/ui/page/use-log-in.ts';
import styles from './account-access.module.css';

type Invitation = ReplyOf<typeof invitation>;

/** Accepts nothing when it opens, because mail scanners open links. */
export function InvitationScreen() {
  const [query] = useSearchParams();
  const token = query.get('token');
  const navigate = useNavigate();
  const logIn = useLogIn();
  const [shown, setShown] = useState<Invitation | null>(null);
  const [problem, setProblem] = useState<string | null>(token ? null : noTokenInUrl);
  const [isBusy, setIsBusy] = useState(false);
  const [canAccept] = useState(() => isSignedIn(new Date()));

  useEffect(() => {
    if (!token) return;
    call(invitation, { token }).then(setShown, (error: unknown) => setProblem(messageFrom(error, text.failed)));
  }, [token]);

  async function accept() {
    setIsBusy(true);
    setProblem(null);
    try {
      toast.success((await call(acceptInvitation, { token: token ?? '' })).msg);
      await navigate('/profile', { replace: true });
    } catch (error) {
      setProblem(messageFrom(error, text.failed));
      setIsBusy(false);
    }
  }

  return (
    <Page title={text.title} width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status" className={styles.answer}>
        {problem && <Banner kind="error" title={problem} />}
        {!problem && !shown && text.loading}
      </div>
      {shown && (
        <>
          <p className={styles.other}>
            {text.what(shown.organizationName)} {text.role(shown.role, shown.isForAllEvents)}
          </p>
          <p className={styles.other}>{roleDescriptions[shown.role]}</p>
          {canAccept ? (
            <Button size="lg" busy={isBusy} onClick={accept}>
              {text.accept}
            </Button>
          ) : (
            <>
              <Banner title={text.needsLogin(shown.email)} />
              <Button kind="gold" onClick={logIn}>
                {text.logIn}
              </Button>
              <ButtonLink to="/register" kind="ghost">
                {text.register}
              </ButtonLink>
            </>
          )}
        </>
      )}
    </Page>
  );
}

export { InvitationScreen as Component };
