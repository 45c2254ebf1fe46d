import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in px, followed as it changes; `initialPx` until it is known. */
export function useWidth<E extends Element>(initialPx = 480) {
  const ref = useRef<E>(null);
  const [widthPx, setWidthPx] = useState(initialPx);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => setWidthPx(Math.max(160, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, widthPx] as const;
}
