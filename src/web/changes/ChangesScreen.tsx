import { useParams } from 'react-router';
import type { ChangesPage } from '#contract/app/sales/page-changes.ts';
import { LISTED_CHANGES_MAX } from '#domain/limits.ts';
import { pageChanges as text } from '#messages/records/page-changes.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { NotFound } from '#web/shell/NotFound.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Page } from '#web/ui/page/Page.tsx';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './changes.module.css';

/** Rendered by the server, which has the data. */
export function ChangesScreen() {
  const { eventId = '' } = useParams();
  const page = usePageProps().changes;
  return page?.eventId === eventId ? <Changes page={page} /> : <NotFound />;
}

function Changes({ page: { eventId, title, timezone, changes } }: { page: ChangesPage }) {
  return (
    <Page title={text.title(title)} heading={text.heading} lead={text.about(title)} width="text">
      {changes.length === 0 && <p>{text.none}</p>}
      <ol className={styles.changes}>
        {changes.map(({ at, parts }) => (
          <li key={at}>
            <h2 className={styles.when}>
              <time dateTime={at}>{text.changedOn(formatShort(at, timezone))}</time>
            </h2>
            <dl className={styles.parts}>
              {parts.map(({ before, after, ...part }) => (
                <div key={text.label(part)}>
                  <dt>{text.label(part)}</dt>
                  <dd>
                    <span className={styles.before}>
                      <span className={srOnly.srOnly}>{text.before}: </span>
                      <del>{before}</del>
                    </span>
                    <span aria-hidden="true"> → </span>
                    <span>
                      <span className={srOnly.srOnly}>{text.after}: </span>
                      <ins>{after}</ins>
                    </span>
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {changes.length === LISTED_CHANGES_MAX && <p>{text.older(LISTED_CHANGES_MAX)}</p>}
      <p>
        <a href={`/payment/${eventId}`}>{text.backToEvent}</a>
      </p>
    </Page>
  );
}

export { ChangesScreen as Component };
