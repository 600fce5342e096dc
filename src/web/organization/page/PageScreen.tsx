import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { organizationPage, type PageSettings } from '#contract/app/sales/organizer-page.ts';
import { pageSettings as text } from '#messages/sales/page-settings.ts';
import { call } from '#web/api.ts';
import { ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import shared from '../security.module.css';
import { LogoCard } from './LogoCard.tsx';
import { PageForm } from './PageForm.tsx';

export function PageScreen() {
  const [shown, setShown] = useState<PageSettings | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setShown(await call(organizationPage, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);

  return (
    <Page
      title={text.title}
      lead={text.lead}
      width="text"
      actions={
        shown?.isShown && (
          <ButtonLink kind="ghost" href={shown.addressStart + shown.slug}>
            {text.open}
          </ButtonLink>
        )
      }
    >
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {shown?.organizationName === null && (
        <Banner kind="info" title={text.noName}>
          {text.noNameText}
        </Banner>
      )}
      {shown?.slug && !shown.isShown && <Banner kind="info" title={text.hidden} />}
      {shown && shown.organizationName !== null && (
        <>
          <PageForm key={JSON.stringify(shown)} page={shown} onSaved={reload} />
          {shown.slug !== null && <LogoCard logo={shown.logo} onChanged={reload} />}
        </>
      )}
      <p className={shared.back}>
        <Link to="/profile">{text.back}</Link>
      </p>
    </Page>
  );
}

export { PageScreen as Component };
