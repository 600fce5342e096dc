import { useMemo } from 'react';
import { posterSvg } from '#domain/poster.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './Poster.module.css';

/** Generated artwork for an event without photos, stable per event. */
export function Poster({
  eventId,
  alt = '',
  className,
}: {
  eventId: string;
  alt?: string;
  className?: string | undefined;
}) {
  const src = useMemo(() => `data:image/svg+xml,${encodeURIComponent(posterSvg(eventId))}`, [eventId]);
  return <img className={classNames(styles.poster, className)} src={src} alt={alt} width={1200} height={750} />;
}
