// A link as a QR code. The library comes when the first one is shown.
import { useEffect, useState } from 'preact/hooks';
import { toasts } from '../../state/toasts';
import { tf } from './stores';

/** Modules of free space around the code. */
const MARGIN = 4;

export function Qr({ text }: { text: string }) {
  const [rows, setRows] = useState<boolean[][] | null>(null);
  useEffect(() => {
    let isShown = true;
    import('qr').then(
      ({ encodeQR }) => isShown && setRows(encodeQR(text, 'raw', { ecc: 'low', border: MARGIN })),
      () => toasts.keep('page.failed', {}, { label: 'page.reload', run: () => location.reload() }),
    );
    return () => {
      isShown = false;
    };
  }, [text]);
  if (!rows) {
    return null;
  }
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={tf('friend.qr.label')}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
