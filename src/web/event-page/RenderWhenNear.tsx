import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Renders its children once they are close to the viewport. */
export function RenderWhenNear({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    if (!container.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: '400px' },
    );
    observer.observe(container.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div ref={container} className={className}>
      {isNear && children}
    </div>
  );
}
