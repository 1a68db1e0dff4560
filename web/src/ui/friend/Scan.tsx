// Reads a QR code with the camera, in browsers that can do so by themselves.
import { useEffect, useRef } from 'preact/hooks';
import { toasts } from '../../state/toasts';
import { Dialog } from '../common';
import { tf } from './stores';

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** The picture is looked at so often, in milliseconds. */
const LOOK_MS = 200;

export function Scan({ onFound, onClose }: { onFound: (text: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let timer = 0;
    let isOver = false;
    const look = async (detector: Detector) => {
      const element = video.current;
      const [found] = element && element.readyState >= 2 ? await detector.detect(element).catch(() => []) : [];
      if (isOver) {
        return;
      }
      if (found) {
        onFound(found.rawValue);
      } else {
        timer = window.setTimeout(() => void look(detector), LOOK_MS);
      }
    };
    const start = async () => {
      try {
        const { BarcodeDetector } = window as unknown as { BarcodeDetector: new (options: object) => Detector };
        const detector = new BarcodeDetector({ formats: ['qr_code'] });
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        if (isOver || !video.current) {
          stop();
          return;
        }
        video.current.srcObject = stream;
        await video.current.play();
        await look(detector);
      } catch {
        if (!isOver) {
          toasts.say(tf('friend.scan.failed'));
          onClose();
        }
      }
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) {
        track.stop();
      }
    };
    void start();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <Dialog title={tf('friend.scan.title')} onClose={onClose}>
      <video ref={video} class="friend-scan" playsInline muted />
    </Dialog>
  );
}
